//===--- OrderedSums.swift - float sums in the documented order -----------===//
//
// The fast float kernels' summation order: a sum starts with the bias and adds one product after
// another, taps in memory order and channels innermost. Each addition rounds once with fused
// multiply-add, and twice without.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletReference
import Testing

@testable import MartletKernels

extension Microkernels {
  /// Whether products are added with one rounding: everywhere except on baseline x86-64.
  var isFused: Bool {
    #if arch(x86_64)
      lanes > Microkernels.available[0].lanes
    #else
      true
    #endif
  }
}

/// The results of a float layer in that order.
struct OrderedSums {
  let input: [Float]
  let filter: [Float]
  let bias: [Float]
  let range: ClosedRange<Float>
  let isFused: Bool

  typealias Product = (input: Int, weight: Int)

  /// Adds the products of these inputs and weights to a sum.
  func add(_ products: [Product], to sum: Float) -> Float {
    products.reduce(sum) { sum, place in
      let (x, w) = (input[place.input], filter[place.weight])
      return isFused ? sum.addingProduct(x, w) : sum + x * w
    }
  }

  /// The outputs of a layer.
  func outputs(of layer: some WeightedSums) -> [Float] {
    var (outputs, products): ([Float], [Product]) = ([], [])
    layer.forEachSum { (_: inout Int32, input, weight) in
      products.append((input, weight))
    } finish: { _, output, channel in
      #expect(output == outputs.count)
      let start = bias.isEmpty ? 0 : bias[channel]
      let sum =
        (layer as? TransposeConvolution).map { total(of: $0, products, from: start) }
        ?? add(products, to: start)
      outputs.append(min(max(sum, range.lowerBound), range.upperBound))
      products.removeAll(keepingCapacity: true)
    }
    return outputs
  }

  /// In a transposed convolution, each input pixel's products are summed from zero, and these sums
  /// are added in pixel order.
  private func total(
    of layer: TransposeConvolution, _ products: [Product], from start: Float
  ) -> Float {
    let pixels = Dictionary(grouping: products) { $0.input / layer.inputDepth }
    return pixels.sorted { $0.key < $1.key }.reduce(start) { $0 + add($1.value, to: 0) }
  }
}

/// The results of a layer with and without fused multiply-add.
struct OrderedResults {
  private let fused: [Float]
  private let rounded: [Float]

  /// - Parameter bias: One number per channel. If empty, sums start from zero.
  init(
    of layer: some WeightedSums, _ input: [Float], _ filter: [Float], _ bias: [Float],
    _ range: ClosedRange<Float>
  ) {
    func outputs(isFused: Bool) -> [Float] {
      OrderedSums(input: input, filter: filter, bias: bias, range: range, isFused: isFused)
        .outputs(of: layer)
    }
    fused = outputs(isFused: true)
    rounded = outputs(isFused: false)
  }

  subscript(run: Run) -> [Float] { run.kernels.isFused ? fused : rounded }
}

/// Expects the same floats bit for bit, except for the sign of zero.
func expectSame(
  _ result: [Float], _ expected: [Float], _ location: SourceLocation = #_sourceLocation
) {
  #expect(result.count == expected.count, sourceLocation: location)
  let wrong = zip(result, expected).enumerated().first { $1.0 != $1.1 }
  #expect(wrong == nil, "element (got, want)", sourceLocation: location)
}
