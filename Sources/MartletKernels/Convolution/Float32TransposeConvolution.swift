//===--- Float32TransposeConvolution.swift - convolution backwards --------===//
//
// What each input pixel adds at each tap is one product of matrices, pixels by taps and channels; then
// each output row sums up its part, tap by tap.
//
// Contract  As `Reference.convolve`. Inputs are finite.
// Order     The bias, then what input pixels add, row by row; what a pixel adds at a tap is summed
//           over channels as in `Float32Convolution`. No split changes a bit.
// Cost      input pixels · taps · channels · filters, and scratch memory for input pixels · taps ·
//           filters. No allocation.
// Checked   Tests/MartletKernelsTests/Float32TransposeConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletReference
import MartletRuntime
import MartletTensor

/// A transposed convolution of float images whose weights are packed.
package struct Float32TransposeConvolution: Sendable {
  /// The most elements that the product may have: beyond, memory would be worth more than time.
  static let productLimit = 1 << 25
  /// The additions that are worth a wake-up.
  private static let grain = 1 << 13

  private let convolution: TransposeConvolution
  private let product: Float32Convolution
  private let bias: [Float]
  private let range: ClosedRange<Float>
  /// The number of elements of scratch memory that a call needs.
  package let scratchCount: Int

  /// Packs the weights, OHWI; an empty bias is zero. `nil` where the product would be too large.
  package init?(
    _ convolution: TransposeConvolution, filter: UnsafeBufferPointer<Float>,
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    let depth = convolution.inputDepth
    let filters = convolution.outputDepth
    let taps = convolution.window.rows.filter * convolution.window.columns.filter
    let count = Schedule.product(
      [convolution.window.batches, convolution.inputRows, convolution.inputColumns, taps, filters])
    guard count <= Float32TransposeConvolution.productLimit,
      let rows = WindowAxis(input: convolution.inputRows, filter: 1, stride: 1, isSame: true),
      let columns = WindowAxis(input: convolution.inputColumns, filter: 1, stride: 1, isSame: true)
    else { return nil }
    var byTap = [Float](repeating: 0, count: filter.count)
    for channel in 0..<filters {
      for tap in 0..<taps {
        for i in 0..<depth {
          byTap[(tap * filters + channel) * depth + i] = filter[(channel * taps + tap) * depth + i]
        }
      }
    }
    self.convolution = convolution
    self.bias = bias.isEmpty ? [Float](repeating: 0, count: filters) : [Float](bias)
    self.range = range
    scratchCount = count
    product = byTap.withUnsafeBufferPointer { weights in
      Float32Convolution(
        Convolution(
          window: SlidingWindow(
            batches: convolution.window.batches, rows: rows, columns: columns),
          inputDepth: depth, filterDepth: depth, outputDepth: taps * filters),
        filter: weights, bias: UnsafeBufferPointer(start: nil, count: 0),
        clampedTo: -Float.infinity...Float.infinity, workers: workers, kernels: kernels)
    }
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, scratch: UnsafeMutableBufferPointer<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    // The product's windows are pixels: it needs no scratch memory of its own.
    product(
      input, scratch: UnsafeMutableBufferPointer(start: nil, count: 0), into: scratch,
      workers: workers)
    guard let products = scratch.baseAddress, let y = output.baseAddress else { return }
    let length = convolution.window.columns.input * convolution.outputDepth
    let lines = convolution.window.batches * convolution.window.rows.input
    bias.withUnsafeBufferPointer { bias in
      guard let bias = bias.baseAddress else { return }
      workers.split(lines, grain: Float32TransposeConvolution.grain / max(length, 1)) { lines in
        for line in lines { gather(line, products, bias, into: y + line * length) }
      }
    }
  }

  /// Adds up one output row.
  private func gather(
    _ line: Int, _ products: UnsafeMutablePointer<Float>, _ bias: UnsafePointer<Float>,
    into y: UnsafeMutablePointer<Float>
  ) {
    let rows = convolution.window.rows
    let columns = convolution.window.columns
    let filters = convolution.outputDepth
    let (image, row) = line.quotientAndRemainder(dividingBy: rows.input)
    for column in 0..<columns.input { add(bias, filters, to: y + column * filters, fresh: true) }
    for tapRow in stride(from: rows.filter - 1, through: 0, by: -1) {
      let from = row + rows.border - tapRow
      guard from >= 0, from % rows.stride == 0, from / rows.stride < convolution.inputRows else {
        continue
      }
      let source = (image * convolution.inputRows + from / rows.stride) * convolution.inputColumns
      for pixel in 0..<convolution.inputColumns {
        // A row of taps lies side by side, in the product and in the result.
        let left = pixel &* columns.stride &- columns.border
        let first = max(-left, 0)
        let end = min(columns.filter, columns.input &- left)
        guard first < end else { continue }
        let tap = ((source &+ pixel) &* rows.filter &+ tapRow) &* columns.filter &+ first
        add(
          products + tap &* filters, (end &- first) &* filters, to: y + (left &+ first) &* filters)
      }
    }
    for i in 0..<columns.input * filters {
      y[i] = min(max(y[i], range.lowerBound), range.upperBound)
    }
  }
}

/// Adds `count` elements to others, or puts them in their place.
@inline(__always)
private func add(
  _ source: UnsafePointer<Float>, _ count: Int, to dest: UnsafeMutablePointer<Float>,
  fresh: Bool = false
) {
  var i = 0
  while i &+ 4 <= count {
    let four = UnsafeRawPointer(source + i).loadUnaligned(as: SIMD4<Float>.self)
    let others = UnsafeRawPointer(dest + i).loadUnaligned(as: SIMD4<Float>.self)
    UnsafeMutableRawPointer(dest + i).storeBytes(
      of: fresh ? four : others + four, as: SIMD4<Float>.self)
    i &+= 4
  }
  while i < count {
    dest[i] = fresh ? source[i] : dest[i] + source[i]
    i &+= 1
  }
}
