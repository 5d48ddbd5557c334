//===--- Int8DepthwiseConvolution.swift - 8-bit depthwise convolution -----===//
//
// Each output reads its taps directly from the image; taps in the padding read a line of zero
// points. Outputs whose windows lie within the image's columns are computed together, those at the
// ends of a line one by one. If windows of three by three share columns, a line is computed at once.
//
// Contract  Bit-exact with `Reference.convolve`.
// Cost      outputs · taps; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A depthwise convolution of byte images with weights packed as bytes.
package struct Int8DepthwiseConvolution: PackedConvolution {
  /// The smallest number of multiplications of a chunk that justifies waking a worker.
  private static let grain = 1 << 16
  /// The most taps; for larger windows, finding the taps takes longer than this kernel saves.
  private static let maximumTaps = 64
  /// How much larger packed weights may become to let adjacent pixels share a vector.
  private static let maximumRepeats = 8

  private let convolution: DepthwiseConvolution
  private let zero: ByteZeroPoint
  private let factors: Int8Factors
  private let packed: Int8DepthwiseWeights
  /// Whether adjacent output pixels have adjacent windows, so that both advance by the same
  /// distance.
  private let isFlat: Bool
  /// Whether a line is computed at once, from the columns of its windows.
  private let sharesColumns: Bool
  let schedule: Schedule
  private let bytes: ByteMicrokernels

  /// Packs the weights; returns `nil` if the microkernels do not support bytes, or this
  /// convolution.
  init?(
    _ convolution: DepthwiseConvolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer, workers: Int,
    kernels: Microkernels
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let taps = Schedule.product([rows.filter, columns.filter])
    guard let bytes = kernels.bytes,
      let factors = Int8Factors(
        requantizer, flip: zero.flip, depth: taps, bias: bias),
      convolution.multiplier == 1, taps <= Int8DepthwiseConvolution.maximumTaps
    else { return nil }
    let channels = convolution.outputDepth
    let sharesColumns =
      bytes.sharesDepthwiseColumns && rows.filter == 3 && columns.filter == 3
      && columns.dilation == 1 && columns.stride <= 2 && channels % 16 == 0
    let repeats = Int8DepthwiseWeights.repeats(channels)
    let isFlat =
      !sharesColumns && columns.stride == 1 && repeats <= Int8DepthwiseConvolution.maximumRepeats
    // The microkernels process several short runs in parallel.
    let isShort = !sharesColumns && (channels == 16 || channels == 32)
    let slots = (0..<taps).map { sharesColumns ? $0 % 3 * 4 + $0 / 3 : $0 }
    guard
      let packed = Int8DepthwiseWeights(
        channels: channels, slots: slots, repeats: isFlat || isShort ? repeats : 1, filter: filter,
        bias: bias, zero: zero, factors: factors, lineCount: columns.input * channels,
        kernels: bytes),
      packed.parts == 1 || zero.flip == 0
    else { return nil }
    self.bytes = bytes
    self.convolution = convolution
    self.zero = zero
    self.factors = factors
    self.packed = packed
    self.isFlat = isFlat
    self.sharesColumns = sharesColumns
    let tapCount = 4 * (sharesColumns ? columns.stride * (columns.output - 1) + 3 : packed.quads)
    schedule = Schedule(
      linesOf: convolution.window,
      blockBytes: tapCount * MemoryLayout<UnsafePointer<UInt8>>.stride,
      multiplications: Schedule.product([convolution.window.outputCount, channels, taps]),
      grain: Int8DepthwiseConvolution.grain, workers: workers)
  }

  /// Convolves lines. The block has room for the addresses of a window's taps.
  @inline(__always)
  func multiply(
    _: UnsafeRawPointer, _ lines: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of images: ByteImages, block: UnsafeMutableRawPointer
  ) {
    guard let x = images.x.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let taps = block.assumingMemoryBound(to: UnsafePointer<UInt8>.self)
    for line in lines { convolve(x, line, taps, into: images.y) }
  }

  /// Convolves one line of outputs. `taps` has room for the addresses of a window's taps.
  private func convolve(
    _ x: UnsafePointer<UInt8>, _ line: Int, _ taps: UnsafeMutablePointer<UnsafePointer<UInt8>>,
    into y: UnsafeMutablePointer<UInt8>
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let channels = convolution.outputDepth
    let image = line / rows.output
    let top = rows.origin(of: line &- image &* rows.output)
    let dest = y + line &* columns.output &* channels
    if sharesColumns { return compute(taps, from: x, image, top, into: dest) }
    let inside = columns.interior
    for column in 0..<inside.lowerBound {
      point(taps, at: x, image, top, columns.origin(of: column), isInside: false)
      compute(taps, 1, into: dest + column &* channels)
    }
    if !inside.isEmpty {
      point(taps, at: x, image, top, columns.origin(of: inside.lowerBound), isInside: true)
      compute(taps, inside.count, into: dest + inside.lowerBound &* channels)
    }
    for column in inside.upperBound..<columns.output {
      point(taps, at: x, image, top, columns.origin(of: column), isInside: false)
      compute(taps, 1, into: dest + column &* channels)
    }
  }

  /// Stores the addresses of the taps of the window whose first tap is at `top`, `left`.
  @inline(__always)
  private func point(
    _ taps: UnsafeMutablePointer<UnsafePointer<UInt8>>, at x: UnsafePointer<UInt8>, _ image: Int,
    _ top: Int, _ left: Int, isInside: Bool
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let channels = convolution.outputDepth
    var tap = 0
    for tapRow in 0..<rows.filter {
      let row = top &+ tapRow &* rows.dilation
      let start = x + (image &* rows.input &+ row) &* columns.input &* channels
      for tapColumn in 0..<columns.filter {
        let column = left &+ tapColumn &* columns.dilation
        let isSeen =
          row >= 0 && row < rows.input && (isInside || column >= 0 && column < columns.input)
        taps[tap] = isSeen ? start + column &* channels : packed.line
        tap &+= 1
      }
    }
    while tap < 4 &* packed.quads {
      taps[tap] = packed.line
      tap &+= 1
    }
  }

  /// Computes a line from the columns of its windows, each as wide as a pixel.
  private func compute(
    _ taps: UnsafeMutablePointer<UnsafePointer<UInt8>>, from x: UnsafePointer<UInt8>, _ image: Int,
    _ top: Int, into y: UnsafeMutablePointer<UInt8>
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let channels = convolution.outputDepth
    let left = columns.origin(of: 0)
    let count = columns.stride &* (columns.output &- 1) &+ 3
    let inside = (0 &- left..<columns.input &- left).clamped(to: 0..<count)
    for tapRow in 0..<3 {
      let row = top &+ tapRow &* rows.dilation
      let isSeen = row >= 0 && row < rows.input
      let start = x + ((image &* rows.input &+ row) &* columns.input &+ left) &* channels
      for index in 0..<count { taps[4 &* index &+ tapRow] = packed.line }
      if isSeen {
        for index in inside { taps[4 &* index &+ tapRow] = start + index &* channels }
      }
    }
    bytes.int8Depthwise(
      Int8Depthwise(
        taps: taps, quads: packed.quads, sharedQuads: columns.stride, weights: packed.start,
        parts: packed.parts, runs: Runs(count: columns.output, length: channels, stride: 0), y: y,
        output: factors.output))
  }

  @inline(__always)
  private func compute(
    _ taps: UnsafeMutablePointer<UnsafePointer<UInt8>>, _ pixels: Int,
    into y: UnsafeMutablePointer<UInt8>
  ) {
    let channels = convolution.outputDepth
    guard isFlat else {
      return runs(taps, pixels, channels, convolution.window.columns.stride &* channels, into: y)
    }
    // Runs of whole blocks, then the remainder.
    let length = 64 &* packed.blocks
    let count = pixels &* channels / length
    let left = pixels &* channels &- count &* length
    if count > 0 { runs(taps, count, length, length, into: y) }
    if left > 0 {
      if count > 0 { for tap in 0..<4 &* packed.quads { taps[tap] += count &* length } }
      runs(taps, 1, left, left, into: y + count &* length)
    }
  }

  @inline(__always)
  private func runs(
    _ taps: UnsafePointer<UnsafePointer<UInt8>>, _ count: Int, _ length: Int, _ stride: Int,
    into y: UnsafeMutablePointer<UInt8>
  ) {
    bytes.int8Depthwise(
      Int8Depthwise(
        taps: taps, quads: packed.quads, sharedQuads: 0, weights: packed.start,
        parts: packed.parts, runs: Runs(count: count, length: length, stride: stride), y: y,
        output: factors.output))
  }
}
