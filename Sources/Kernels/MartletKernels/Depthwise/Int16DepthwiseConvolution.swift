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
  private let memory: Arena
  let panels: [Panel]
  /// The distance of each tap of a window from the first tap, in elements of a band; even numbers.
  private let offsets: [Int]
  /// The channels of a band (a multiple of a vector's lanes), and its pixels.
  private let bandDepth: Int
  private let bandWidth: Int
  /// The bytes before the band, for the sums of a line and a panel.
  private let sumBytes: Int
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
    let channels = convolution.outputDepth
    let taps = rows.filter * columns.filter
    let packed = Int16Panels(
      columns: channels, depth: taps, weights: filter, isTransposed: true, bias: bias,
      multipliers: requantizer.multipliers, widths: kernels.panelWidths)
    memory = packed.memory
    panels = packed.panels
    var offsets = (0..<taps).map { tap in
      tap / columns.filter * rows.dilation * rowCount
        + tap % columns.filter * columns.dilation * depth
    }
    if !offsets.count.isMultiple(of: 2) { offsets.append(0) }
    self.offsets = offsets
    bandDepth = depth
    bandWidth = width
    let rowBytes = rowCount * 2
    sumBytes = columns.output * 8 * kernels.lanes
    let bandBytes =
      (rowBytes * rows.span + sumBytes <= StackMemory.limit
        ? StackMemory.limit : Int16DepthwiseConvolution.bandBytes) - sumBytes
    // The output lines of one band.
    let lines = max(
      min((bandBytes / rowBytes - rows.span) / rows.stride + 1, rows.output), 1)
    schedule = Schedule(
      linesOf: convolution.window, blockLines: lines,
      blockBytes: ((lines - 1) * rows.stride + rows.span) * rowBytes + sumBytes,
      panels: panels.count,
      multiplications: Schedule.product([
        convolution.window.outputCount, convolution.outputDepth, offsets.count,
      ]), grain: Int16DepthwiseConvolution.grain, workers: workers)
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ lines: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of images: ByteImages, block: UnsafeMutableRawPointer
  ) {
    let band = x.assumingMemoryBound(to: Int16.self)
    let (rows, columns) = (convolution.window.rows, convolution.window.columns)
    let sums = block.assumingMemoryBound(to: Int32.self)
    offsets.withUnsafeBufferPointer { offsets in
      guard let tapOffsets = offsets.baseAddress else { return }
      for line in lines {
        let row = (line &- lines.lowerBound) &* rows.stride
        let y = images.y + line &* columns.output &* convolution.outputDepth
        for panel in panels {
          let fields = UnsafePointer(
            (memory.base + 4 &* panel.offset).assumingMemoryBound(to: Int32.self))
          kernels.int16Depthwise(
            Int16Depthwise(
              x: band + (row &* bandWidth &* bandDepth &+ panel.first), tapOffsets: tapOffsets,
              pairs: offsets.count / 2, pixelStride: columns.stride &* bandDepth,
              pixels: columns.output, panel: fields, width: panel.width, sums: sums))
          kernels.int32Requantize(
            Int32Requantize(
              sums: Matrix(UnsafePointer(sums), rowStride: panel.width), rows: columns.output,
              panel: fields, width: panel.width,
              y: MutableMatrix(y + panel.first, rowStride: convolution.outputDepth),
              columns: panel.columns, output: quantization))
        }
      }
    }
  }

  /// Fills a band with the input rows of some output lines.
  @inline(__always)
  func pack(
    _ lines: Range<Int>, of images: ByteImages, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let band = (block + sumBytes).assumingMemoryBound(to: Int16.self)
    guard let x = images.x.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return UnsafeRawPointer(band)
    }
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
    return UnsafeRawPointer(band)
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
}
