//===--- HybridConvolution.swift - hybrid convolution ---------------------===//
//
// Images are quantized to bytes at run time, each with its own scale. Rows are packed and
// multiplied as for byte images, and the sums are converted to floats. A fully connected layer is a
// 1x1 convolution with one scale per row.
//
// Contract  Bit-exact with the reference kernels, for filters as deep as the image.
// Cost      outputs · taps · channels, and two passes over the images; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A convolution of float images with packed byte weights. A class, because it is too large to be
/// copied for each call.
package final class HybridConvolution: PackedConvolution {
  /// The images as bytes, each with a scale and a zero point, and the output.
  struct Operands {
    let bytes: UnsafeRawBufferPointer
    let scales: UnsafePointer<Float>
    let zeros: UnsafePointer<Int32>
    let y: UnsafeMutablePointer<Float>
  }

  private let convolution: Convolution
  private let image: DynamicQuantization
  /// The number of outputs of an image.
  private let outputs: Int
  private let factorsFirst: Bool
  private let range: ClosedRange<Float>
  private let weights: HybridWeights
  private let columns: HybridColumns
  let schedule: Schedule
  /// Whether rows are read from the image without packing.
  private let isInPlace: Bool
  private let kernels: Microkernels

  var panels: [Panel] { weights.panels }

  /// Packs the weights, OHWI, with one factor per filter; an empty bias is zero.
  ///
  /// - Parameters:
  ///   - images: The number of parts of the input that have their own scale, each with the same
  ///     number of outputs.
  ///   - factorsFirst: As in the reference kernel.
  /// - Precondition: the filters are as deep as the image.
  package init(
    _ convolution: Convolution, images: Int, isAsymmetric: Bool, filter: ByteWeights,
    factors: [Float], factorsFirst: Bool, bias: UnsafeBufferPointer<Float>,
    clampedTo range: ClosedRange<Float>, workers: Int, kernels: Microkernels = .current
  ) {
    precondition(convolution.filterDepth == convolution.inputDepth)
    let window = convolution.window
    let depth = window.rows.filter * window.columns.filter * convolution.inputDepth
    self.kernels = kernels
    self.convolution = convolution
    self.factorsFirst = factorsFirst
    self.range = range
    outputs = window.outputCount / max(images, 1)
    image = DynamicQuantization(
      count: images,
      length: window.batches * window.rows.input * window.columns.input * convolution.inputDepth
        / max(images, 1),
      isAsymmetric: isAsymmetric, kernels: kernels)
    weights = HybridWeights(convolution, depth: depth, weights: filter, kernels: kernels)
    columns = HybridColumns(
      factors: factors, bias: bias, lanes: kernels.lanes,
      zeroSum: weights.countsZeros
        ? { filter.sum($0 * depth..<($0 + 1) * depth) } : { _ in 0 })
    isInPlace = weights.countsZeros && window.isPointwise && depth == weights.rowLength
    schedule = Schedule(
      rows: window.outputCount, panels: weights.panels.count,
      multiplications: Schedule.product([window.outputCount, convolution.outputDepth, depth]),
      rowBytes: 4 * weights.width + (isInPlace ? 0 : weights.rowLength + weights.overrun),
      tileRows: weights.tileRows, workers: workers)
  }

  /// The number of bytes of the images, and the number of images, each with a scale and a zero
  /// point. Then the number of 32-bit elements of scratch memory of a call.
  package var byteCount: Int { image.count * image.length }
  package var imageCount: Int { image.count }
  package var scratchCount: Int { schedule.scratchBytes / 4 }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, bytes: UnsafeMutableBufferPointer<UInt8>,
    scales: UnsafeMutableBufferPointer<Float>, zeros: UnsafeMutableBufferPointer<Int32>,
    scratch: UnsafeMutableBufferPointer<Int32>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress, let values = bytes.baseAddress,
      let scales = scales.baseAddress, let zeros = zeros.baseAddress
    else { return }
    image.forEachPart(x, workers: workers) { index, map in
      scales[index] = map.scale
      zeros[index] = Int32(map.zeroPoint) + 128
    } quantize: { part, map in
      kernels.float32DynamicQuantize(
        x + part.lowerBound, part.count, map.forward, values + part.lowerBound)
    }
    run(
      Operands(bytes: UnsafeRawBufferPointer(bytes), scales: scales, zeros: zeros, y: y),
      scratch: UnsafeMutableRawPointer(scratch.baseAddress), workers: workers)
  }

  /// Packs the rows of some outputs after the memory for their sums.
  @inline(__always)
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    if isInPlace, let x = operands.bytes.baseAddress {
      return x + rows.lowerBound &* convolution.inputDepth
    }
    let first = block + schedule.blockRows * 4 * weights.width
    forEachImage(of: rows) { part, image in
      weights.pack(
        part, of: operands.bytes, zero: operands.zeros[image],
        into: first + (part.lowerBound - rows.lowerBound) * weights.rowLength)
    }
    return UnsafeRawPointer(first)
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of operands: Operands, block: UnsafeMutableRawPointer
  ) {
    let sums = block.assumingMemoryBound(to: Int32.self)
    for panel in panels {
      weights.multiply(x, rows.count, by: panel, into: sums)
      scale(sums, rows, panel, operands)
    }
  }

  /// Converts the sums of a panel to floats.
  @inline(__always)
  private func scale(
    _ sums: UnsafeMutablePointer<Int32>, _ rows: Range<Int>, _ panel: Panel, _ operands: Operands
  ) {
    let (scales, zeros) = (operands.scales, operands.zeros)
    if outputs == 1 {
      let each = RowScales(
        scales: scales + rows.lowerBound, zeroPoints: zeros + rows.lowerBound, stride: 1)
      return scale(sums, rows, panel, each, operands.y)
    }
    forEachImage(of: rows) { part, image in
      let first = sums + (part.lowerBound &- rows.lowerBound) &* panel.width
      let all = RowScales(scales: scales + image, zeroPoints: zeros + image, stride: 0)
      scale(first, part, panel, all, operands.y)
    }
  }

  /// Converts the sums of a panel to floats; its rows have the given scales.
  @inline(__always)
  private func scale(
    _ sums: UnsafeMutablePointer<Int32>, _ rows: Range<Int>, _ panel: Panel,
    _ rowScales: RowScales, _ y: UnsafeMutablePointer<Float>
  ) {
    let depth = convolution.outputDepth
    kernels.int32Dequantize(
      Int32Dequantize(
        sums: Matrix(sums, rowStride: panel.width), rows: rows.count,
        columnScales: columns.scales(from: panel.first), rowScales: rowScales,
        multipliesFactorFirst: factorsFirst,
        y: MutableMatrix(y + (rows.lowerBound &* depth &+ panel.first), rowStride: depth),
        columns: panel.columns, range: range))
  }

  /// Calls `body` for the outputs of each image within `rows`.
  @inline(__always)
  private func forEachImage(of rows: Range<Int>, _ body: (_ part: Range<Int>, _ image: Int) -> Void)
  {
    var first = rows.lowerBound
    while first < rows.upperBound {
      let image = first / outputs
      let end = min((image &+ 1) &* outputs, rows.upperBound)
      body(first..<end, image)
      first = end
    }
  }
}
