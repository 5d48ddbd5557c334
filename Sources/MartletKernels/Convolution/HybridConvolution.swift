//===--- HybridConvolution.swift - convolution of floats by bytes ---------===//
//
// Float images meet byte weights: images become bytes as the graph runs, each with a scale of its
// own, rows are laid out and multiplied as those of byte images are, and the sums become floats. A
// fully connected layer is a 1x1 convolution whose rows have a scale each.
//
// Contract  Bit for bit the reference kernels, for filters as deep as the image.
// Cost      outputs · taps · channels, and two passes over the images; no allocation.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A convolution of float images whose weights are packed bytes. A class, since there is too much in
/// it to be copied for each call.
package final class HybridConvolution: Sendable {
  private let convolution: Convolution
  private let image: DynamicQuantization
  /// The outputs of an image.
  private let outputs: Int
  private let factorsFirst: Bool
  private let range: ClosedRange<Float>
  private let weights: HybridWeights
  private let columns: HybridColumns
  private let schedule: Schedule
  /// Whether rows are read where they are.
  private let isInPlace: Bool
  private let kernels: Microkernels

  /// Packs the weights, OHWI, which have a factor for each filter; an empty bias is none.
  ///
  /// - Parameters:
  ///   - images: How many parts of the input, of as many outputs each, have a scale of their own.
  ///   - factorsFirst: As the reference kernel has it.
  /// - Precondition: the filters are as deep as the image.
  package init(
    _ convolution: Convolution, images: Int, isAsymmetric: Bool, filter: [Int16],
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
    weights = HybridWeights(
      columns: convolution.outputDepth, depth: depth, weights: filter, kernels: kernels)
    columns = HybridColumns(
      factors: factors, bias: bias, lanes: kernels.lanes,
      zeroSum: weights.countsZeros
        ? { filter[$0 * depth..<($0 + 1) * depth].reduce(0) { $0 &+ Int32($1) } } : { _ in 0 })
    isInPlace = weights.countsZeros && window.isPointwise && depth == weights.rowLength
    schedule = Schedule(
      rows: window.outputCount, panels: weights.panels.count,
      multiplications: Schedule.product([window.outputCount, convolution.outputDepth, depth]),
      rowBytes: 4 * weights.width + (isInPlace ? 0 : weights.rowLength + Int8Im2col.overrun + 1),
      tileRows: weights.tileRows, workers: workers)
  }

  /// The bytes of the images, of which each has a scale and a zero point, and the number of 32-bit
  /// elements of scratch memory that a call needs.
  package var byteCount: Int { image.count * image.length }
  package var imageCount: Int { image.count }
  package var scratchCount: Int { schedule.scratchBytes / 4 }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, bytes: UnsafeMutableBufferPointer<UInt8>,
    scales: UnsafeMutableBufferPointer<Float>, zeros: UnsafeMutableBufferPointer<Int32>,
    scratch: UnsafeMutableBufferPointer<Int32>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress, let values = bytes.baseAddress
    else { return }
    image.forEachPart(x, workers: workers) { index, map in
      scales[index] = map.scale
      zeros[index] = Int32(map.zeroPoint) + 128
    } quantize: { part, map in
      kernels.float32DynamicQuantize(
        x + part.lowerBound, part.count, map.forward, values + part.lowerBound)
    }
    let scratch = UnsafeMutableRawPointer(scratch.baseAddress)
    workers.perform(schedule.chunks) { chunk in
      schedule.withBlock(of: chunk, in: scratch) { memory in
        schedule.forEachBlock(of: chunk) { rows in
          let first =
            isInPlace
            ? UnsafeRawPointer(values + rows.lowerBound &* convolution.inputDepth)
            : lay(rows, of: UnsafeRawBufferPointer(bytes), zeros, memory)
          let sums = memory.assumingMemoryBound(to: Int32.self)
          weights.panels.withUnsafeBufferPointer { panels in
            for index in schedule.panels(of: chunk) {
              weights.multiply(first, rows.count, by: panels[index], into: sums)
              scale(sums, rows, panels[index], scales, zeros, into: y)
            }
          }
        }
      }
    }
  }

  /// Lays out the rows of some outputs behind the room for their sums.
  private func lay(
    _ rows: Range<Int>, of bytes: UnsafeRawBufferPointer,
    _ zeros: UnsafeMutableBufferPointer<Int32>, _ memory: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let block = memory + schedule.blockRows * 4 * weights.width
    forEachImage(of: rows) { part, image in
      weights.lay(
        part, of: bytes, convolution.window, depth: convolution.inputDepth, zero: zeros[image],
        into: block + (part.lowerBound - rows.lowerBound) * weights.rowLength)
    }
    return UnsafeRawPointer(block)
  }

  /// Makes floats of a panel's sums.
  @inline(__always)
  private func scale(
    _ sums: UnsafeMutablePointer<Int32>, _ rows: Range<Int>, _ panel: Panel,
    _ scales: UnsafeMutableBufferPointer<Float>, _ zeros: UnsafeMutableBufferPointer<Int32>,
    into y: UnsafeMutablePointer<Float>
  ) {
    guard let scales = scales.baseAddress, let zeros = zeros.baseAddress else { return }
    if outputs == 1 {
      let each = RowScales(
        scales: scales + rows.lowerBound, zeroPoints: zeros + rows.lowerBound, stride: 1)
      return scale(sums, rows, panel, each, y)
    }
    forEachImage(of: rows) { part, image in
      let first = sums + (part.lowerBound &- rows.lowerBound) &* panel.width
      let all = RowScales(scales: scales + image, zeroPoints: zeros + image, stride: 0)
      scale(first, part, panel, all, y)
    }
  }

  /// Makes floats of a panel's sums, whose rows have these scales.
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
