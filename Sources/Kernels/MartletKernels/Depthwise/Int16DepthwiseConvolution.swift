//===--- Int16DepthwiseConvolution.swift - 16-bit depthwise convolution ---===//
//
// A band of image rows is widened to 16 bits in scratch memory. The padding is zeros, and with a
// multiplier above 1 each channel is repeated. Each output then finds its taps at fixed distances.
//
// Contract  Bit-exact with `Reference.convolve`.
// Cost      outputs · taps, and one pass over the image to widen it (rows shared by two bands are
//           widened twice); no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A depthwise convolution of byte images with packed weights.
package struct Int16DepthwiseConvolution: PackedConvolution {
  /// The smallest number of multiplications of a chunk that justifies waking a worker.
  static let grain = 1 << 16
  /// The most bytes of cache for a band that does not fit on the stack.
  static let bandBytes = 96 << 10
  /// The most elements of a band, for any image width and dilation.
  static let maximumBandCount = 1 << 26

  private let convolution: DepthwiseConvolution
  private let zero: ByteZeroPoint
  private let quantization: OutputQuantization
  private let packed: Arena
  /// The distance of each tap of a window from the first tap, in elements of a band; even numbers.
  private let offsets: [Int]
  /// The channels of a band (a multiple of a vector's lanes), and its pixels.
  private let bandDepth: Int
  private let bandWidth: Int
  let schedule: Schedule
  private let kernels: Microkernels

  /// Packs the weights, HWO; an empty bias is zero. Returns `nil`
  /// if a window covers more of the image than scratch memory should hold.
  ///
  /// - Precondition: no weight exceeds ±255.
  init?(
    _ convolution: DepthwiseConvolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let depth = (convolution.outputDepth + kernels.lanes - 1) / kernels.lanes * kernels.lanes
    let width = max((columns.output - 1) * columns.stride, 0) + columns.span
    let rowCount = Schedule.product([width, depth])
    guard
      Schedule.product([rowCount, rows.span])
        <= Int16DepthwiseConvolution.maximumBandCount
    else { return nil }
    self.kernels = kernels
    self.convolution = convolution
    self.zero = zero
    quantization = requantizer.output
    packed = Int16DepthwiseConvolution.pack(
      convolution, filter: filter, bias: bias, multipliers: requantizer.multipliers,
      lanes: kernels.lanes)
    var offsets = (0..<rows.filter * columns.filter).map { tap in
      tap / columns.filter * rows.dilation * rowCount
        + tap % columns.filter * columns.dilation * depth
    }
    if !offsets.count.isMultiple(of: 2) { offsets.append(0) }
    self.offsets = offsets
    bandDepth = depth
    bandWidth = width
    let rowBytes = rowCount * 2
    let bandBytes =
      rowBytes * rows.span <= StackMemory.limit
      ? StackMemory.limit : Int16DepthwiseConvolution.bandBytes
    // The output lines of one band.
    let lines = max(
      min((bandBytes / rowBytes - rows.span) / rows.stride + 1, rows.output), 1)
    schedule = Schedule(
      linesOf: convolution.window, blockLines: lines,
      blockBytes: ((lines - 1) * rows.stride + rows.span) * rowBytes,
      multiplications: Schedule.product([
        convolution.window.outputCount, convolution.outputDepth, offsets.count,
      ]), grain: Int16DepthwiseConvolution.grain, workers: workers)
  }

  private static func pack(
    _ convolution: DepthwiseConvolution, filter: ByteWeights, bias: UnsafeBufferPointer<Int32>,
    multipliers: [FixedPointMultiplier], lanes: Int
  ) -> Arena {
    let channels = convolution.outputDepth
    let taps = convolution.window.rows.filter * convolution.window.columns.filter
    let height = Int16Panels.fieldCount + (taps + 1) / 2
    let arena = Arena(byteCount: (channels + lanes - 1) / lanes * lanes * height * 4)
    let packed = arena.base.assumingMemoryBound(to: Int32.self)
    for channel in 0..<channels {
      let place = channel / lanes * lanes * height + channel % lanes
      if !bias.isEmpty { packed[place] = bias[channel] }
      multipliers[channel].writeFields(at: place, stride: lanes, in: packed)
      for tap in stride(from: 0, to: taps, by: 2) {
        packed[place + (Int16Panels.fieldCount + tap / 2) * lanes] = pair(
          filter[tap * channels + channel],
          tap + 1 < taps ? filter[(tap + 1) * channels + channel] : 0)
      }
    }
    return arena
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ lines: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of images: ByteImages, block: UnsafeMutableRawPointer
  ) {
    let band = x.assumingMemoryBound(to: Int16.self)
    for line in lines { convolve(band, line, from: lines.lowerBound, into: images.y) }
  }

  /// Fills a band with the input rows of some output lines.
  @inline(__always)
  func pack(
    _ lines: Range<Int>, of images: ByteImages, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    guard let x = images.x.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return UnsafeRawPointer(block)
    }
    let band = block.assumingMemoryBound(to: Int16.self)
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let image = lines.lowerBound / rows.output
    let top = rows.origin(of: lines.lowerBound % rows.output)
    // The window of output column 0 starts this far before the image; the window of the last column
    // may end before or after the image's end.
    let before = min(columns.border, bandWidth)
    let inside = min(columns.input, bandWidth - before)
    let rowLength = bandWidth &* bandDepth
    for row in 0..<(lines.count - 1) * rows.stride + rows.span {
      let y = top &+ row
      let dest = band + row &* rowLength
      guard y >= 0 && y < rows.input else {
        dest.update(repeating: 0, count: rowLength)
        continue
      }
      dest.update(repeating: 0, count: before &* bandDepth)
      let source = x + (image &* rows.input &+ y) &* columns.input &* convolution.inputDepth
      widen(source, pixels: inside, to: dest + before &* bandDepth)
      let end = (before &+ inside) &* bandDepth
      (dest + end).update(repeating: 0, count: rowLength &- end)
    }
    return UnsafeRawPointer(block)
  }

  /// Widens pixels; channels beyond the image's are zero.
  @inline(__always)
  private func widen(
    _ source: UnsafePointer<UInt8>, pixels: Int, to dest: UnsafeMutablePointer<Int16>
  ) {
    let depth = convolution.inputDepth
    let multiplier = convolution.multiplier
    if convolution.outputDepth < bandDepth {
      dest.update(repeating: 0, count: pixels &* bandDepth)
    }
    if multiplier > 1 {
      for pixel in 0..<pixels {
        for channel in 0..<depth {
          let byte = source[pixel &* depth &+ channel] ^ zero.flip
          let value = Int16(truncatingIfNeeded: byte) &- zero.value
          let place = dest + (pixel &* bandDepth &+ channel &* multiplier)
          for copy in 0..<multiplier { place[copy] = value }
        }
      }
    } else if depth == bandDepth {
      kernels.int8Widen(source, pixels &* depth, zero, dest)
    } else {
      for pixel in 0..<pixels {
        kernels.int8Widen(source + pixel &* depth, depth, zero, dest + pixel &* bandDepth)
      }
    }
  }

  @inline(__always)
  private func convolve(
    _ band: UnsafePointer<Int16>, _ line: Int, from first: Int,
    into y: UnsafeMutablePointer<UInt8>
  ) {
    let columns = convolution.window.columns
    let depth = convolution.outputDepth
    let row = (line &- first) &* convolution.window.rows.stride
    offsets.withUnsafeBufferPointer { offsets in
      guard let tapOffsets = offsets.baseAddress else { return }
      kernels.int16Depthwise(
        Int16Depthwise(
          x: band + row &* bandWidth &* bandDepth, tapOffsets: tapOffsets,
          pairs: offsets.count / 2, pixelStride: columns.stride &* bandDepth,
          pixels: columns.output,
          weights: UnsafePointer(packed.base.assumingMemoryBound(to: Int32.self)),
          channels: depth, y: y + line &* columns.output &* depth, output: quantization))
    }
  }
}
