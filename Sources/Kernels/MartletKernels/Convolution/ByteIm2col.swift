//===--- ByteIm2col.swift - im2col of byte images -------------------------===//
//
// As `Im2col.swift`, for images of bytes. Runs are packed in whole vectors: bytes written past the
// end of a run are overwritten by the next run. Row elements are the bytes themselves, or 16-bit
// integers with the zero point subtracted.
//
// Cost      One pass over the rows.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

#if canImport(WebAssemblyIntrinsics)
  import WebAssemblyIntrinsics
#endif

/// An element of a packed row.
protocol PackedByte: BitwiseCopyable, Sendable {
  associatedtype Vector: SIMD

  /// Converts bytes of the image to elements.
  static func pack(_ bytes: SIMD16<UInt8>, _ zero: ByteZeroPoint) -> Vector
}

extension UInt8: PackedByte {
  @inline(__always)
  static func pack(_ bytes: SIMD16<UInt8>, _ zero: ByteZeroPoint) -> SIMD16<UInt8> { bytes }
}

extension Int16: PackedByte {
  @inline(__always)
  static func pack(_ bytes: SIMD16<UInt8>, _ zero: ByteZeroPoint) -> SIMD16<Int16> {
    SIMD16(lowHalf: zero.difference(bytes.lowHalf), highHalf: zero.difference(bytes.highHalf))
  }
}

extension ByteZeroPoint {
  /// Widens bytes and subtracts the zero point.
  @inline(__always)
  func difference(_ bytes: SIMD8<UInt8>) -> SIMD8<Int16> {
    let unsigned = bytes ^ SIMD8(repeating: flip)
    #if canImport(WebAssemblyIntrinsics)
      // The compiler would convert lane by lane.
      let both = SIMD16(lowHalf: unsigned, highHalf: unsigned)
      let wide = wasm_u16x8_extend_low_u8x16(unsafeBitCast(both, to: v128_t.self))
      return unsafeBitCast(wide, to: SIMD8<Int16>.self) &- SIMD8(repeating: value)
    #else
      return SIMD8(truncatingIfNeeded: unsigned) &- SIMD8(repeating: value)
    #endif
  }
}

/// Packs the rows of the matrix that a byte convolution multiplies.
struct ByteIm2col<Element: PackedByte>: Sendable {
  /// The most bytes that are written past the end of the last row, plus one.
  static var overrun: Int { 16 * MemoryLayout<Element>.stride }

  let window: SlidingWindow
  /// The channels of the image.
  let channels: Int
  /// The elements from one row to the next; the padding at the end is undefined.
  let rowLength: Int

  /// Packs the rows of `outputs`, one after the other, into `rows`.
  func pack(
    _ outputs: Range<Int>, of image: UnsafeRawBufferPointer, _ zero: ByteZeroPoint,
    into rows: UnsafeMutableRawPointer
  ) {
    var row = rows.assumingMemoryBound(to: Element.self)
    guard window.columns.dilation == 1 else { return packRuns(outputs, of: image, zero, into: row) }
    let width = window.columns.output
    var index = outputs.lowerBound
    while index < outputs.upperBound {
      let line = index / width
      let end = min((line &+ 1) &* width, outputs.upperBound)
      let inside = interior(of: line, index..<end, image.count)
      packRuns(index..<inside.lowerBound, of: image, zero, into: row)
      row += (inside.lowerBound &- index) &* rowLength
      packInterior(inside, line, of: image, zero, into: row)
      row += inside.count &* rowLength
      packRuns(inside.upperBound..<end, of: image, zero, into: row)
      row += (end &- inside.upperBound) &* rowLength
      index = end
    }
  }

  /// The outputs of a line whose windows lie within the image, and far enough from its end to read
  /// whole vectors.
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
      (lastRow &+ columns.origin(of: last &- start) &+ columns.filter) &* channels &+ 15 > count
    {
      inside = inside.lowerBound..<last
    }
    return inside
  }

  private func packInterior(
    _ outputs: Range<Int>, _ line: Int, of image: UnsafeRawBufferPointer, _ zero: ByteZeroPoint,
    into row: UnsafeMutablePointer<Element>
  ) {
    guard let x = image.baseAddress, !outputs.isEmpty else { return }
    let rows = window.rows
    let columns = window.columns
    let imageIndex = line / rows.output
    let top = imageIndex &* rows.input &+ rows.origin(of: line &- imageIndex &* rows.output)
    let left = columns.origin(of: outputs.lowerBound &- line &* columns.output)
    let length = columns.filter &* channels
    let lineStride = rows.dilation &* columns.input &* channels
    var source = x + (top &* columns.input &+ left) &* channels
    var row = row
    let step = columns.stride &* channels
    if length <= 16, rows.filter == 3 {
      // The first layer of an image network: three vectors without a loop.
      for _ in outputs {
        pack(source, zero, into: row)
        pack(source + lineStride, zero, into: row + length)
        pack(source + 2 &* lineStride, zero, into: row + 2 &* length)
        source += step
        row += rowLength
      }
      return
    }
    for _ in outputs {
      for tapRow in 0..<rows.filter {
        pack(source + tapRow &* lineStride, length, zero, into: row + tapRow &* length)
      }
      source += step
      row += rowLength
    }
  }

  /// Packs the rows of any outputs, run by run.
  private func packRuns(
    _ outputs: Range<Int>, of image: UnsafeRawBufferPointer, _ zero: ByteZeroPoint,
    into rows: UnsafeMutablePointer<Element>
  ) {
    guard let x = image.baseAddress else { return }
    let borders = SIMD16<UInt8>(repeating: zero.byte)
    window.forEachRun(outputs) { row, tap, pixel, taps in
      let dest = rows + (row &* rowLength &+ tap &* channels)
      let length = taps &* channels
      let start = (pixel ?? 0) &* channels
      if pixel != nil && start &+ length &+ 15 <= image.count {
        pack(x + start, length, zero, into: dest)
      } else {
        var place = 0
        while place < length {
          var bytes = borders
          if pixel != nil {
            for i in 0..<min(16, length &- place) {
              bytes[i] = x.load(fromByteOffset: start &+ place &+ i, as: UInt8.self)
            }
          }
          store(bytes, zero, to: dest + place)
          place &+= 16
        }
      }
    }
  }

  /// Packs `length` bytes in whole vectors.
  @inline(__always)
  private func pack(
    _ source: UnsafeRawPointer, _ length: Int, _ zero: ByteZeroPoint,
    into dest: UnsafeMutablePointer<Element>
  ) {
    var place = 0
    while place < length {
      pack(source + place, zero, into: dest + place)
      place &+= 16
    }
  }

  /// Packs one vector.
  @inline(__always)
  private func pack(
    _ source: UnsafeRawPointer, _ zero: ByteZeroPoint, into dest: UnsafeMutablePointer<Element>
  ) {
    store(source.loadUnaligned(as: SIMD16<UInt8>.self), zero, to: dest)
  }

  @inline(__always)
  private func store(
    _ bytes: SIMD16<UInt8>, _ zero: ByteZeroPoint, to dest: UnsafeMutablePointer<Element>
  ) {
    UnsafeMutableRawPointer(dest).storeBytes(
      of: Element.pack(bytes, zero), as: Element.Vector.self)
  }
}
