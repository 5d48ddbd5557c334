//===--- OperatorTraits.swift - properties of an operator -----------------===//
//
// What graph rewrites, strings and the work limit need to know about an operator. Each registration
// states it, so that no list elsewhere names operators.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// The properties of an operator that hold for all its nodes. The defaults are those of an operator
/// that touches each element once and takes no part in graph rewrites. A class, so that nodes share
/// them.
package final class OperatorTraits: Sendable {
  /// The defaults.
  package static let plain = OperatorTraits()

  package let cost: OperatorCost
  /// The operands that may be strings, or `nil`.
  package let strings: StringOperands?
  /// The input whose type LiteRT uses for the results, whatever the file declares; `nil` for
  /// operators that reject a result of another type.
  package let typeOperand: Int?
  /// The activation that a clamping operator computes.
  package let clamp: Activation?
  /// Whether graph rewrites may fuse an activation or padding into its options.
  package let isFusible: Bool

  package init(
    cost: OperatorCost = OperatorCost(), strings: StringOperands? = nil, typeOperand: Int? = nil,
    clamp: Activation? = nil, isFusible: Bool = false
  ) {
    self.cost = cost
    self.strings = strings
    self.typeOperand = typeOperand
    self.clamp = clamp
    self.isFusible = isFusible
  }
}

/// The inputs of an operator that may be strings, a range of consecutive inputs, and its results
/// that are strings if these are.
package struct StringOperands: Sendable {
  package enum Results: Sendable {
    case all
    case first
    case none
  }

  private let start: Int
  private let count: Int
  private let results: Results

  init(from start: Int = 0, count: Int = .max, results: Results = .all) {
    self.start = start
    self.count = count
    self.results = results
  }

  /// The first input alone, and all results.
  static let firstInput = StringOperands(count: 1)

  /// Those of the inputs that may be strings.
  package func inputs(_ all: Range<Int>) -> Range<Int> { all.dropFirst(start).prefix(count) }

  /// Whether output `index` consists of strings of the inputs.
  package func includes(output index: Int) -> Bool {
    switch results {
    case .all: true
    case .first: index == 0
    case .none: false
    }
  }
}

extension OperatorOptions {
  /// The options with a fused activation, or `nil` if there is one already or cannot be one.
  package func fusing(_ activation: Activation) -> OperatorOptions? {
    switch self {
    case .conv2D(var options) where options.activation == .none:
      options.activation = activation
      return .conv2D(options)
    case .depthwiseConv2D(var options) where options.activation == .none:
      options.activation = activation
      return .depthwiseConv2D(options)
    case .fullyConnected(var options) where options.activation == .none:
      options.activation = activation
      return .fullyConnected(options)
    case .add(var options) where options.activation == .none:
      options.activation = activation
      return .add(options)
    case .sub(var options) where options.activation == .none:
      options.activation = activation
      return .sub(options)
    case .mul(var options) where options.activation == .none:
      options.activation = activation
      return .mul(options)
    default: return nil
    }
  }

  /// The options of a VALID convolution changed to SAME, with the windows of `filter`.
  package func samePadding(_ filter: Shape) -> SamePadding? {
    switch self {
    case .conv2D(var options) where options.padding == .valid:
      options.padding = .same
      return SamePadding(
        .conv2D(options), filter, strides: (options.strideHeight, options.strideWidth),
        dilations: (options.dilationHeight, options.dilationWidth))
    case .depthwiseConv2D(var options) where options.padding == .valid:
      options.padding = .same
      return SamePadding(
        .depthwiseConv2D(options), filter, strides: (options.strideHeight, options.strideWidth),
        dilations: (options.dilationHeight, options.dilationWidth))
    default: return nil
    }
  }
}

/// A convolution with SAME padding instead of VALID.
package struct SamePadding: Sendable {
  package let options: OperatorOptions
  package let vertical: Window
  package let horizontal: Window

  fileprivate init(
    _ options: OperatorOptions, _ filter: Shape, strides: (Int, Int), dilations: (Int, Int)
  ) {
    self.options = options
    vertical = Window(extent: filter[1], stride: strides.0, dilation: dilations.0)
    horizontal = Window(extent: filter[2], stride: strides.1, dilation: dilations.1)
  }

  /// A window's extent along one axis, which determines SAME padding.
  package struct Window: Sendable {
    let extent: Int
    let stride: Int
    let dilation: Int

    /// The elements that SAME padding adds before and after an input of `input` elements.
    package func padding(_ input: Int) -> (before: Int, after: Int)? {
      guard extent > 0, stride > 0, dilation > 0 else { return nil }
      let covered = (extent - 1) * dilation + 1
      let output = (input + stride - 1) / stride
      let total = max((output - 1) * stride + covered - input, 0)
      return (total / 2, total - total / 2)
    }
  }
}
