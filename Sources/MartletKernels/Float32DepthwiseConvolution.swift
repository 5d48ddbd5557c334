//===--- Float32DepthwiseConvolution.swift - by channel, floats -----------===//
//
// Row by row of the output: the interior in one run, the pixels of the border one by one, each with
// the taps that it has.
//
// Contract  As `Reference.convolve` with a multiplier of 1. The weights are read as they
//           are stored.
// Order     Taps row by row, starting from the bias.
// Cost      outputs · taps; no allocation.
// Checked   Tests/MartletKernelsTests/Float32DepthwiseTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

/// A depthwise convolution of float images, one output for each channel.
package struct Float32DepthwiseConvolution: Sendable {
  /// Chunks with less work than this many multiplications are not worth a wake-up.
  static let grain = 1 << 16

  private let convolution: DepthwiseConvolution
  private let range: ClosedRange<Float>
  private let zeros: [Float]
  private let interior: Range<Int>
  private let chunks: Int
  private let kernels: Microkernels

  /// - Precondition: the multiplier is 1.
  package init(
    _ convolution: DepthwiseConvolution, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    precondition(convolution.multiplier == 1)
    let window = convolution.window
    self.kernels = kernels
    self.convolution = convolution
    self.range = range
    zeros = [Float](repeating: 0, count: convolution.inputDepth)
    interior = window.columns.interior
    chunks = Schedule.chunks(
      of: window.batches * window.rows.output,
      work: Schedule.product([
        window.outputCount, convolution.inputDepth, window.rows.filter, window.columns.filter,
      ]), grain: Float32DepthwiseConvolution.grain, workers: workers)
  }

  /// Convolves; an empty bias is zero.
  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, filter: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let x = input.baseAddress, let w = filter.baseAddress, let y = output.baseAddress
    else { return }
    zeros.withUnsafeBufferPointer { zeros in
      let bias = bias.isEmpty ? zeros : UnsafeBufferPointer(bias)
      guard let bias = bias.baseAddress else { return }
      let lines = convolution.window.batches * convolution.window.rows.output
      workers.perform(chunks) { chunk in
        for line in lines * chunk / chunks..<lines * (chunk + 1) / chunks {
          self.line(line, x, w, bias, y)
        }
      }
    }
  }

  private func line(
    _ line: Int, _ x: UnsafeMutablePointer<Float>, _ w: UnsafeMutablePointer<Float>,
    _ bias: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) {
    let columns = convolution.window.columns
    for column in 0..<interior.lowerBound { run(1, line, column, x, w, bias, y) }
    if !interior.isEmpty {
      run(interior.count, line, interior.lowerBound, x, w, bias, y)
    }
    for column in interior.upperBound..<columns.output { run(1, line, column, x, w, bias, y) }
  }

  /// Computes `pixels` outputs from `column` on, which have the same taps.
  @inline(__always)
  private func run(
    _ pixels: Int, _ line: Int, _ column: Int, _ x: UnsafeMutablePointer<Float>,
    _ w: UnsafeMutablePointer<Float>, _ bias: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let channels = convolution.inputDepth
    let top = rows.origin(of: line % rows.output)
    let left = columns.origin(of: column)
    let tapRows = rows.taps(from: top)
    let tapColumns = columns.taps(from: left)
    let imageRow = line / rows.output &* rows.input &+ top &+ tapRows.lowerBound &* rows.dilation
    let imageColumn = left &+ tapColumns.lowerBound &* columns.dilation
    let pixel = imageRow &* columns.input &+ imageColumn
    let tap = tapRows.lowerBound &* columns.filter &+ tapColumns.lowerBound
    kernels.float32Depthwise(
      x + pixel &* channels, w + tap &* channels, bias, pixels, channels,
      tapRows.count, tapColumns.count, rows.dilation &* columns.input &* channels,
      columns.dilation &* channels, columns.filter &* channels, columns.stride &* channels,
      y + (line &* columns.output &+ column) &* channels, range.lowerBound, range.upperBound)
  }
}
