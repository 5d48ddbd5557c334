//===--- ReduceWindowOperator.swift - STABLEHLO_REDUCE_WINDOW, REDUCE_WINDOW ===//
//
// Inputs  0 x: bool, integers of 8 to 64 bits, or floats of 16 to 64 bits; at least one axis; 1 the
//         initial element of each window, and of the padding.
//         REDUCE_WINDOW: 2 the window's extents, 3 its strides, 4 its dilations: int64, [rank].
// Output  0 y: x's type; the number of windows along each axis.
// Options StableHLOReduceWindowOptions: extents, strides, paddings and dilations, and the subgraph
//         that combines two elements. ReduceWindowOptions: how elements are combined.
// Source  LiteRT 2.3.0 `stablehlo_reduce_window.cc`, which supports up to six axes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let initial = 1
  static let extents = 2
  static let strides = 3
  static let dilations = 4
}

extension Registration {
  static let stableHLOReduceWindow = Registration(
    .stablehloReduceWindow, versions: 1...1
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    guard case .stableHLOReduceWindow(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let computation = try p.computation(ofSubgraph: options.bodySubgraph)
    guard computation != .second else {
      throw .computation(node: p.node, subgraph: options.bodySubgraph)
    }
    let padding = try p.padding(options.padding, baseDilations: options.baseDilations)
    let windows = try p.windows(
      on: padding.map { $0.result },
      taps: options.extents, strides: options.strides, dilations: options.windowDilations)
    return try p.prepareWindows(padding, windows, computation)
  }

  static let reduceWindow = Registration(.reduceWindow, versions: 1...1) {
    p throws(InferenceError) in
    try p.expect(inputs: 5...5)
    guard case .reduceWindow(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    guard let computation = options.function.computation else {
      throw .option(node: p.node, name: "reduce_function", value: options.function.rawValue)
    }
    let padding = try p.padding([], baseDilations: [])
    let windows = try p.windows(
      on: padding.map { $0.result }, taps: try p.integers(of: Input.extents),
      strides: try p.integers(of: Input.strides), dilations: try p.integers(of: Input.dilations))
    return try p.prepareWindows(padding, windows, computation)
  }
}

extension ReduceWindowFunction {
  fileprivate var computation: Computation? {
    switch self {
    case .unsupported: nil
    case .add: .add
    case .multiply: .multiply
    case .minimum: .minimum
    case .maximum: .maximum
    case .all: .and
    case .any: .or
    }
  }
}

extension Preparation {
  /// The padding and base dilation of each axis of input 0.
  fileprivate func padding(
    _ edges: [Int], baseDilations: [Int]
  ) throws(InferenceError) -> [AxisPadding] {
    let x = try shape(ofInput: Input.x, ranks: 1...Shape.maximumRank)
    let spacings = try positive("base_dilations", baseDilations, count: x.rank)
    let edges = edges.isEmpty ? [Int](repeating: 0, count: 2 * x.rank) : edges
    guard edges.count == 2 * x.rank else {
      throw .option(node: node, name: "number of paddings", value: edges.count)
    }
    var axes: [AxisPadding] = []
    for axis in 0..<x.rank {
      axes.append(
        try padding(
          ofAxis: axis, before: edges[2 * axis], after: edges[2 * axis + 1],
          spacing: spacings[axis]))
    }
    return axes
  }

  /// The windows along each axis of these extents.
  fileprivate func windows(
    on extents: [Int], taps: [Int], strides: [Int], dilations: [Int]
  ) throws(InferenceError) -> [WindowExtent] {
    guard !taps.isEmpty else {
      throw .option(node: node, name: "number of window_dimensions", value: 0)
    }
    let taps = try positive("window_dimensions", taps, count: extents.count)
    let strides = try positive("window_strides", strides, count: extents.count)
    let dilations = try positive("window_dilations", dilations, count: extents.count)
    return extents.indices.map {
      WindowExtent(
        input: extents[$0], taps: taps[$0], stride: strides[$0], dilation: dilations[$0])
    }
  }

  /// A positive number for each axis; 1 if there are none.
  private func positive(
    _ name: String, _ values: [Int], count: Int
  ) throws(InferenceError) -> [Int] {
    guard !values.isEmpty else { return [Int](repeating: 1, count: count) }
    guard values.count == count else {
      throw .option(node: node, name: "number of \(name)", value: values.count)
    }
    for value in values where value < 1 || value > Int(Int32.max) {
      throw .option(node: node, name: name, value: value)
    }
    return values
  }

  fileprivate mutating func prepareWindows(
    _ padding: [AxisPadding], _ windows: [WindowExtent], _ computation: Computation
  ) throws(InferenceError) -> Evaluate {
    try expectCount(1, input: Input.initial)
    let padded = try shape(padding.map { $0.result })
    let body = WindowBody(
      padding: padding, padded: padded, windows: windows,
      result: try shape(windows.map { $0.count }), computation: computation)
    if body.result.elementCount > 0 {
      let rows = WindowReduction.rowCount(windows)
      try takePrepared(rows, of: MemoryLayout<Int>.stride)
      state(
        work: saturatingSum(
          padded.elementCount,
          saturatingProduct(body.result.elementCount, rows, windows[windows.count - 1].taps)))
    }
    return try prepare(body, computation, ofInput: Input.x, takesUnordered: true)
  }
}

private struct WindowBody: ComputationBody {
  let padding: [AxisPadding]
  let padded: Shape
  let windows: [WindowExtent]
  let result: Shape
  let computation: Computation

  func prepare<Scalar: Element>(
    _ p: inout Preparation, _ function: @escaping @Sendable (Scalar, Scalar) -> Scalar
  ) throws(InferenceError) -> Evaluate {
    let x = try p.input(Input.x, typedAsFirst: Scalar.self)
    let initial = try p.input(Input.initial, typedAsFirst: Scalar.self)
    let y = try p.output(typedAsFirst: Scalar.self, shape: result)
    guard result.elementCount > 0 else { return { _ in } }
    let reduction = WindowReduction(windows)
    guard padding.contains(where: { !$0.isIdentity }) else {
      return evaluate(reduction, { e in e[x] }, initial, y, function)
    }
    let pad = SpreadPadding(padding, elementSize: MemoryLayout<Scalar>.stride)
    let spread = try p.scratch(padded.elementCount, as: Scalar.self)
    return evaluate(
      reduction,
      { e in
        let target = e[spread]
        if let from = e[x].baseAddress, let filler = e[initial].baseAddress,
          let to = target.baseAddress
        {
          pad(from, filler: filler, into: to, workers: e.workers)
        }
        return target
      }, initial, y, function)
  }

  /// Reduces the windows of the elements that `elements` returns.
  private func evaluate<Scalar: Element>(
    _ reduction: WindowReduction,
    _ elements: @escaping @Sendable (borrowing Evaluation) -> UnsafeMutableBufferPointer<Scalar>,
    _ initial: Operand<Scalar>, _ y: Operand<Scalar>,
    _ function: @escaping @Sendable (Scalar, Scalar) -> Scalar
  ) -> Evaluate {
    { e in
      guard let x = elements(e).baseAddress else { return }
      reduction(x, from: e[initial][0], into: e[y], workers: e.workers, function)
    }
  }
}
