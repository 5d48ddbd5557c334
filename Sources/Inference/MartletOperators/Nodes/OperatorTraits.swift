//===--- OperatorTraits.swift - properties of an operator -----------------===//
//
// What graph rewrites, strings and the work limit need to know about an operator. Each registration
// states it, so that no list elsewhere names operators.
//
// Checked   Tests/MartletInferenceTests: NodeCostTests.swift, StringTests.swift, GraphTests.swift,
//           FuseActivationsTests.swift, FusePaddingTests.swift
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
  /// Returns the options with a fused activation, or `nil` if there is one already.
  package let fusingActivation: (@Sendable (OperatorOptions, Activation) -> OperatorOptions?)?
  /// Returns the options of a VALID convolution changed to SAME, with its windows.
  package let samePadding: (@Sendable (OperatorOptions, _ filter: Shape) -> SamePadding?)?

  package init(
    cost: OperatorCost = OperatorCost(), strings: StringOperands? = nil, typeOperand: Int? = nil,
    clamp: Activation? = nil,
    fusingActivation: (@Sendable (OperatorOptions, Activation) -> OperatorOptions?)? = nil,
    samePadding: (@Sendable (OperatorOptions, Shape) -> SamePadding?)? = nil
  ) {
    self.cost = cost
    self.strings = strings
    self.typeOperand = typeOperand
    self.clamp = clamp
    self.fusingActivation = fusingActivation
    self.samePadding = samePadding
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

/// A convolution with SAME padding instead of VALID.
package struct SamePadding: Sendable {
  package let options: OperatorOptions
  package let vertical: Window
  package let horizontal: Window

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
