//===--- Float32DepthwiseConvolution.swift - float depthwise convolution --===//
//
// The output is computed in strips whose outputs use the same taps. Many channels are processed in
// groups.
//
// Contract  As `Reference.convolve` with a multiplier of 1. The weights have the file's order;
//           constant weights are copied to aligned memory.
// Order     Taps row by row, starting from the bias.
// Cost      outputs · taps; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A depthwise convolution of float images, one output per channel.
package struct Float32DepthwiseConvolution: PackedConvolution {
  /// The first elements of image, weights, bias and output.
  struct Operands {
    let x, w, bias: UnsafePointer<Float>
    let y: UnsafeMutablePointer<Float>
  }

  /// The smallest number of multiplications of a chunk that justifies waking a worker.
  static let grain = 1 << 15

  /// The most bytes of the nearest cache for the input rows of one output row; limits the channels
  /// that are computed at a time.
  static let cacheBytes = 32 << 10

  private let convolution: DepthwiseConvolution
  private let range: ClosedRange<Float>
  private let zeros: [Float]
  /// Aligned: a vector that straddles two cache lines takes two loads.
  private let constantFilter: Arena?
  /// The channels that are computed at a time.
  let panels: [Panel]
  let schedule: Schedule
  private let kernels: Microkernels

  /// - Precondition: the multiplier is 1.
  package init(
    _ convolution: DepthwiseConvolution, constantFilter: UnsafeBufferPointer<Float>? = nil,
    clampedTo range: ClosedRange<Float>, workers: Int, kernels: Microkernels = .current
  ) {
    precondition(convolution.multiplier == 1)
    let window = convolution.window
    self.kernels = kernels
    self.convolution = convolution
    self.range = range
    self.constantFilter = constantFilter.map { Arena(copying: UnsafeRawBufferPointer($0)) }
    zeros = [Float](repeating: 0, count: convolution.inputDepth)
    let rowsBytes = Schedule.product([4, window.rows.filter, window.columns.input])
    let fitting = max(Float32DepthwiseConvolution.cacheBytes / max(rowsBytes, 1), 64)
    let slices = max((convolution.inputDepth + fitting - 1) / fitting, 1)
    // Whole pairs of the widest vectors, which blocks of four outputs read.
    let slice = max((convolution.inputDepth + slices * 32 - 1) / (slices * 32) * 32, 32)
    panels = Panel.cut(columns: convolution.inputDepth, widths: [slice], height: 0)
    schedule = Schedule(
      linesOf: window, panels: panels.count,
      multiplications: Schedule.product([
        window.outputCount, convolution.inputDepth, window.rows.filter, window.columns.filter,
      ]), grain: Float32DepthwiseConvolution.grain, workers: workers)
  }

  /// Convolves; an empty bias is zero. `filter` is ignored if the weights are constant.
  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, filter: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    let constant = constantFilter?.base.assumingMemoryBound(to: Float.self)
    guard let x = input.baseAddress, let w = constant ?? filter.baseAddress,
      let y = output.baseAddress
    else { return }
    zeros.withUnsafeBufferPointer { zeros in
      let bias = bias.isEmpty ? zeros : UnsafeBufferPointer(bias)
      guard let bias = bias.baseAddress else { return }
      run(
        Operands(x: UnsafePointer(x), w: UnsafePointer(w), bias: bias, y: y), scratch: nil,
        workers: workers)
    }
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of operands: Operands, block: UnsafeMutableRawPointer
  ) {
    for panel in panels {
      convolution.window.forEachStrip(ofLines: rows) { strip in
        compute(strip, panel, operands)
      }
    }
  }

  @inline(__always)
  private func compute(
    _ strip: WindowStrip, _ panel: Panel, _ operands: Operands
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let channels = convolution.inputDepth
    let tap = strip.tapRows.lowerBound &* columns.filter &+ strip.tapColumns.lowerBound
    kernels.float32Depthwise(
      Float32Depthwise(
        x: Taps(
          start: operands.x + (strip.input &* channels &+ panel.first),
          rowStride: rows.dilation &* columns.input &* channels,
          columnStride: columns.dilation &* channels),
        pixelStride: strip.inputStep &* channels, pixels: strip.count,
        weights: Taps(
          start: operands.w + (tap &* channels &+ panel.first),
          rowStride: columns.filter &* channels, columnStride: channels),
        bias: operands.bias + panel.first, channels: panel.columns, tapRows: strip.tapRows.count,
        tapColumns: strip.tapColumns.count,
        y: MutableMatrix(
          operands.y + (strip.output &* channels &+ panel.first),
          rowStride: strip.outputStep &* channels),
        range: range))
  }
}
