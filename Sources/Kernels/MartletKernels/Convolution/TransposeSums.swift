//===--- TransposeSums.swift - sums of transposed convolution -------------===//
//
// A transposed convolution has two steps. One matrix product, pixels by taps and channels, computes
// what each input pixel adds at each tap. Then each output row adds up its terms, tap by tap. This
// file has the second step, and the parameters of the first.
//
// Order     The bias, then the terms of the input pixels, row by row. Results do not depend on how
//           the work is split.
// Cost      input pixels · taps · filters additions, and as many elements of scratch memory. No
//           allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// The sums of a transposed convolution of float images.
package struct TransposeSums: Sendable {
  /// The most elements of the product; larger ones would cost too much memory.
  static let productLimit = 1 << 25
  /// The smallest number of additions that justifies waking a worker.
  private static let grain = 1 << 13

  private let convolution: TransposeConvolution
  private let bias: [Float]
  private let range: ClosedRange<Float>
  /// The product as a 1x1 convolution, with one filter per tap and output channel.
  let product: Convolution
  /// The number of elements of the product.
  package let count: Int

  /// Returns `nil` if the product would be too large; an empty bias is zero.
  init?(
    _ convolution: TransposeConvolution, bias: UnsafeBufferPointer<Float>,
    clampedTo range: ClosedRange<Float>
  ) {
    let window = convolution.window
    let filters = convolution.outputDepth
    let taps = window.rows.filter * window.columns.filter
    count = Schedule.product(
      [window.batches, convolution.inputRows, convolution.inputColumns, taps, filters])
    guard count <= TransposeSums.productLimit,
      let rows = WindowAxis(input: convolution.inputRows, filter: 1, stride: 1, isSame: true),
      let columns = WindowAxis(input: convolution.inputColumns, filter: 1, stride: 1, isSame: true)
    else { return nil }
    self.convolution = convolution
    self.bias = bias.isEmpty ? [Float](repeating: 0, count: filters) : [Float](bias)
    self.range = range
    product = Convolution(
      window: SlidingWindow(batches: window.batches, rows: rows, columns: columns),
      inputDepth: convolution.inputDepth, filterDepth: convolution.inputDepth,
      outputDepth: taps * filters)
  }

  /// Converts the convolution's filters, OHWI, to the order of the product: by tap, then by
  /// channel.
  func filters<Weight: Numeric>(_ filter: UnsafeBufferPointer<Weight>) -> [Weight] {
    let depth = convolution.inputDepth
    let filters = convolution.outputDepth
    let taps = product.outputDepth / max(filters, 1)
    var byTap = [Weight](repeating: 0, count: filter.count)
    for channel in 0..<filters {
      for tap in 0..<taps {
        for i in 0..<depth {
          byTap[(tap * filters + channel) * depth + i] = filter[(channel * taps + tap) * depth + i]
        }
      }
    }
    return byTap
  }

  /// Adds up the product's terms into `output`.
  package func callAsFunction(
    _ product: UnsafeMutableBufferPointer<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let products = product.baseAddress, let y = output.baseAddress else { return }
    let length = convolution.window.columns.input * convolution.outputDepth
    let lines = convolution.window.batches * convolution.window.rows.input
    bias.withUnsafeBufferPointer { bias in
      guard let bias = bias.baseAddress else { return }
      workers.split(lines, grain: TransposeSums.grain / max(length, 1)) { lines in
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
        // A row of taps is contiguous, both in the product and in the output.
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

/// Adds `count` elements to `dest`, or overwrites it if `fresh`.
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
