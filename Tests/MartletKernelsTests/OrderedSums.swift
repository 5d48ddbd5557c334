//===--- OrderedSums.swift - what float kernels give, bit for bit ---------===//
//
// The order that the fast kernels of floats promise: a sum starts from the bias and takes one product
// after the other, taps in the order of memory and channels innermost, in one rounding where the
// instruction set has fused multiply-add and in two where it has not.
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletReference
import MartletTensor
import Testing

@testable import MartletKernels

extension Microkernels {
  /// Whether a product is added in one rounding: everywhere but on plain x86-64.
  var isFused: Bool {
    #if arch(x86_64)
      lanes > Microkernels.available[0].lanes
    #else
      true
    #endif
  }
}

/// What a layer of floats gives in that order.
struct OrderedSums {
  let input: [Float]
  let filter: [Float]
  let bias: [Float]
  let range: ClosedRange<Float>
  let isFused: Bool

  typealias Product = (input: Int, weight: Int)

  /// Adds the products of the inputs and weights at these places to a sum.
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

  /// In a transposed convolution the products of an input pixel are summed first, from zero, and these
  /// sums are added in the order of the pixels.
  private func total(
    of layer: TransposeConvolution, _ products: [Product], from start: Float
  ) -> Float {
    let pixels = Dictionary(grouping: products) { $0.input / layer.inputDepth }
    return pixels.sorted { $0.key < $1.key }.reduce(start) { $0 + add($1.value, to: 0) }
  }
}

/// What a layer gives with and without fused multiply-add.
struct OrderedResults {
  private let fused: [Float]
  private let rounded: [Float]

  /// - Parameter bias: as many numbers as channels; where there are none, sums start from zero.
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

/// Expects the same floats, bit for bit but for the sign of a zero.
func expectSame(
  _ result: [Float], _ expected: [Float], _ location: SourceLocation = #_sourceLocation
) {
  #expect(result.count == expected.count, sourceLocation: location)
  let wrong = zip(result, expected).enumerated().first { $1.0 != $1.1 }
  #expect(wrong == nil, "element (got, want)", sourceLocation: location)
}
