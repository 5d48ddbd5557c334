//===--- Int8Im2col.swift - rows of bytes of a convolution ----------------===//
//
// As `Im2col.swift`, for bytes, which it copies in whole vectors: what is written behind a run is
// written over by the next one.
//
// Cost      One pass over what is laid out.
// Checked   Tests/MartletKernelsTests/QuantizedConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

/// Rows of the matrix whose product a convolution is.
struct Int8Im2col: Sendable {
  /// The most bytes that are written behind the last row.
  static let overrun = 15

  let window: SlidingWindow
  /// The channels of the image.
  let depth: Int
  /// The bytes from one row to the next, of which the last may be anything.
  let rowLength: Int
  /// What stands for zero.
  let border: UInt8

  /// Lays out the rows for some outputs, one after the other, from `dest` on.
  func lay(
    _ outputs: Range<Int>, of image: UnsafeRawBufferPointer, into dest: UnsafeMutableRawPointer
  ) {
    guard window.columns.dilation == 1 else { return layRuns(outputs, of: image, into: dest) }
    let width = window.columns.output
    var index = outputs.lowerBound
    var dest = dest
    while index < outputs.upperBound {
      let line = index / width
      let end = min((line &+ 1) &* width, outputs.upperBound)
      let inside = interior(of: line, index..<end, image.count)
      layRuns(index..<inside.lowerBound, of: image, into: dest)
      dest += (inside.lowerBound &- index) &* rowLength
      layInterior(inside, line, of: image, into: dest)
      dest += inside.count &* rowLength
      layRuns(inside.upperBound..<end, of: image, into: dest)
      dest += (end &- inside.upperBound) &* rowLength
      index = end
    }
  }

  /// Those of a line's outputs whose windows lie within the image, so far from the end of it that
  /// whole vectors may be read.
  private func interior(of line: Int, _ outputs: Range<Int>, _ count: Int) -> Range<Int> {
    let rows = window.rows
    let start = line &* window.columns.output
    let image = line / rows.output
    let top = rows.origin(of: line &- image &* rows.output)
    guard top >= 0, top &+ rows.span <= rows.input else {
      return outputs.lowerBound..<outputs.lowerBound
    }
    let columns = window.columns
    var inside =
      (start &+ columns.interior.lowerBound..<start &+ columns.interior.upperBound).clamped(
        to: outputs)
    let lastRow = (image &* rows.input &+ top &+ rows.span &- 1) &* columns.input
    while let last = inside.last,
      (lastRow &+ columns.origin(of: last &- start) &+ columns.filter) &* depth
        &+ Int8Im2col.overrun > count
    {
      inside = inside.lowerBound..<last
    }
    return inside
  }

  private func layInterior(
    _ outputs: Range<Int>, _ line: Int, of image: UnsafeRawBufferPointer,
    into dest: UnsafeMutableRawPointer
  ) {
    guard let x = image.baseAddress, !outputs.isEmpty else { return }
    let rows = window.rows
    let columns = window.columns
    let picture = line / rows.output
    let top = picture &* rows.input &+ rows.origin(of: line &- picture &* rows.output)
    let left = columns.origin(of: outputs.lowerBound &- line &* columns.output)
    let length = columns.filter &* depth
    let lineStride = rows.dilation &* columns.input &* depth
    var source = x + (top &* columns.input &+ left) &* depth
    var dest = dest
    for _ in outputs {
      for row in 0..<rows.filter {
        copy(source + row &* lineStride, length, into: dest + row &* length)
      }
      source += columns.stride &* depth
      dest += rowLength
    }
  }

  /// Lays out any outputs, run by run.
  private func layRuns(
    _ outputs: Range<Int>, of image: UnsafeRawBufferPointer, into dest: UnsafeMutableRawPointer
  ) {
    guard let x = image.baseAddress else { return }
    let borders = SIMD16<UInt8>(repeating: border)
    window.forEachRun(outputs) { row, tap, pixel, taps in
      let dest = dest + (row &* rowLength &+ tap &* depth)
      let length = taps &* depth
      if let pixel {
        let start = pixel &* depth
        if start &+ length &+ Int8Im2col.overrun <= image.count {
          copy(x + start, length, into: dest)
        } else {
          dest.copyMemory(from: x + start, byteCount: length)
        }
      } else {
        var place = 0
        while place < length {
          dest.storeBytes(of: borders, toByteOffset: place, as: SIMD16<UInt8>.self)
          place &+= 16
        }
      }
    }
  }

  /// Copies whole vectors that hold `length` bytes.
  @inline(__always)
  private func copy(
    _ source: UnsafeRawPointer, _ length: Int, into dest: UnsafeMutableRawPointer
  ) {
    var place = 0
    while place < length {
      dest.storeBytes(
        of: source.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self),
        toByteOffset: place, as: SIMD16<UInt8>.self)
      place &+= 16
    }
  }
}
