//===--- StableHLOIndexing.swift - STABLEHLO_GATHER, STABLEHLO_SCATTER ----===//
//
// STABLEHLO_GATHER   Inputs  0 x: any type of 8 to 64 bits; 1 the starts of slices: int32 or int64,
//                            moved so that the slices lie in x.
//                    Output  0 y: the slices.
//                    Options StableHLOGatherOptions: the slices' extents, and the meaning of axes.
// STABLEHLO_SCATTER  Inputs  0 x: bool, integers of 8 to 64 bits, or floats of 16 to 64 bits; 1 the
//                            starts of slices: int32 or int64; 2 the slices, of x's type.
//                    Output  0 y: x with the slices' elements that lie in it.
//                    Options StableHLOScatterOptions: the meaning of axes, and the subgraph that
//                            combines an element of x and one of a slice.
// Source             LiteRT 2.3.0 `stablehlo_gather.cc`, `stablehlo_scatter.cc`, and StableHLO's
//                    specification, where these do not check options.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let indices = 1
  static let updates = 2
}

extension Registration {
  static let stableHLOGather = Registration(
    .stablehloGather, versions: 1...1
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(Input.indices).type {
    case .int32: return try prepareGather(&p, Int32.self)
    case .int64: return try prepareGather(&p, Int64.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(Input.indices), found: type)
    }
  }

  static let stableHLOScatter = Registration(
    .stablehloScatter, versions: 1...1
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    guard case .stableHLOScatter(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let computation = try p.computation(ofSubgraph: options.computationSubgraph)
    guard computation != .and, computation != .or else {
      throw .computation(node: p.node, subgraph: options.computationSubgraph)
    }
    let body = ScatterBody(slices: try p.slices(options))
    return try p.prepare(body, computation, ofInput: Input.x)
  }
}

// MARK: - Axes

extension Preparation {
  /// The slices of a STABLEHLO_SCATTER.
  fileprivate mutating func slices(
    _ options: StableHLOScatterOptions
  ) throws(InferenceError) -> IndexedSlices {
    let x = try input(Input.x).shape
    let updates = try input(Input.updates).shape
    let (indices, indexAxes) = try indexAxes(
      options.indexVectorAxis, operandAxes: options.scatterAxesToOperandAxes,
      "scatter_dims_to_operand_dims")
    let rank = indexAxes.count + options.updateWindowAxes.count
    try shape(ofInput: Input.updates, ranks: rank...rank)
    let axes = try sliceAxes(
      options.updateWindowAxes, "update_window_dims", indexAxes: indexAxes,
      without: options.insertedWindowAxes, "inserted_window_dims")
    for (axis, kind) in axes.enumerated() {
      guard case .index(let other) = kind else { continue }
      try expect(updates, ofInput: Input.updates, axis: axis, extent: indices[other])
    }
    let slices = IndexedSlices(
      slices: updates, axes: axes, operand: x, indices: indices,
      vectorAxis: options.indexVectorAxis, components: options.scatterAxesToOperandAxes)
    stateWork(of: slices, elements: updates.elementCount)
    return slices
  }

  /// The slices of a STABLEHLO_GATHER, and their shape.
  fileprivate mutating func slices(
    _ options: StableHLOGatherOptions
  ) throws(InferenceError) -> (IndexedSlices, Shape) {
    let x = try input(Input.x).shape
    guard options.sliceExtents.count == x.rank else {
      throw .option(
        node: node, name: "number of slice_sizes", value: options.sliceExtents.count)
    }
    for axis in 0..<x.rank {
      let extent = options.sliceExtents[axis]
      let limit = options.collapsedSliceAxes.contains(axis) ? min(x[axis], 1) : x[axis]
      guard extent >= 0, extent <= limit else {
        throw .option(node: node, name: "slice_sizes", value: extent)
      }
    }
    let (indices, indexAxes) = try indexAxes(
      options.indexVectorAxis, operandAxes: options.startIndexMap, "start_index_map")
    let axes = try sliceAxes(
      options.offsetAxes, "offset_dims", indexAxes: indexAxes, without: options.collapsedSliceAxes,
      "collapsed_slice_dims")
    let result = try shape(
      axes.map { axis in
        switch axis {
        case .slice(let operand): options.sliceExtents[operand]
        case .index(let axis): indices[axis]
        }
      })
    let slices = IndexedSlices(
      slices: result, axes: axes, operand: x, indices: indices,
      vectorAxis: options.indexVectorAxis, components: options.startIndexMap,
      sliceExtents: options.sliceExtents)
    // An empty slice has no place in the operand.
    stateWork(of: slices, elements: result.elementCount)
    return (slices, result)
  }

  /// The shape of the index tensor, and its axes without that of the vectors, whose indices belong to
  /// `operandAxes`.
  private func indexAxes(
    _ vectorAxis: Int, operandAxes: [Int], _ name: String
  ) throws(InferenceError) -> (Shape, [Int]) {
    let indices = try input(Input.indices).shape
    guard vectorAxis >= 0, vectorAxis <= indices.rank else {
      throw .option(node: node, name: "index_vector_dim", value: vectorAxis)
    }
    let length = vectorAxis < indices.rank ? indices[vectorAxis] : 1
    guard operandAxes.count == length else {
      throw .option(node: node, name: "number of \(name)", value: operandAxes.count)
    }
    try check(operandAxes.sorted(), below: try input(Input.x).shape.rank, name)
    return (indices, (0..<indices.rank).filter { $0 != vectorAxis })
  }

  /// The axes of a tensor of slices: `windowAxes` are along the operand's axes `without` some, the
  /// others are those of the index tensor.
  private func sliceAxes(
    _ windowAxes: [Int], _ name: String, indexAxes: [Int], without: [Int], _ otherName: String
  ) throws(InferenceError) -> [IndexedSlices.Axis] {
    let rank = try input(Input.x).shape.rank
    let count = windowAxes.count + indexAxes.count
    guard count <= Shape.maximumRank else {
      throw .rank(
        node: node, operand: .output(0), found: count, expected: 0...Shape.maximumRank)
    }
    try check(windowAxes, below: count, name)
    try check(without, below: rank, otherName)
    guard windowAxes.count + without.count == rank else {
      throw .option(node: node, name: "number of \(name)", value: windowAxes.count)
    }
    var operandAxes = (0..<rank).filter { !without.contains($0) }[...]
    var indexAxes = indexAxes[...]
    return (0..<count).map { axis in
      windowAxes.contains(axis)
        ? .slice(operand: operandAxes.removeFirst()) : .index(indexAxes.removeFirst())
    }
  }

  /// Throws unless the axes ascend and are in `0..<limit`.
  private func check(_ axes: [Int], below limit: Int, _ name: String) throws(InferenceError) {
    var last = -1
    for axis in axes {
      guard axis > last, axis < limit else { throw .option(node: node, name: name, value: axis) }
      last = axis
    }
  }

  private mutating func stateWork(of slices: IndexedSlices, elements: Int) {
    state(work: saturatingSum(elements, saturatingProduct(elements == 0 ? 0 : slices.runCount, 16)))
  }
}

// MARK: - Evaluation

private func prepareGather<Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Index.Type
) throws(InferenceError) -> Evaluate {
  guard case .stableHLOGather(let options) = p.operation.options else {
    throw .options(node: p.node)
  }
  let (slices, shape) = try p.slices(options)
  let x = try p.inputBytes(Input.x)
  let indices = try p.input(Input.indices, as: Index.self)
  let y = try p.outputBytes(0, typedAs: Input.x, shape: shape)
  guard shape.elementCount > 0 else { return { _ in } }
  func gather<Word: BitwiseCopyable>(_: Word.Type) -> Evaluate {
    { e in
      slices.gather(
        UnsafePointer(e[x].assumingMemoryBound(to: Word.self)), e[indices],
        into: e[y].assumingMemoryBound(to: Word.self))
    }
  }
  switch x.elementSize {
  case 1: return gather(UInt8.self)
  case 2: return gather(UInt16.self)
  case 4: return gather(UInt32.self)
  case 8: return gather(UInt64.self)
  default:
    throw .unsupportedType(
      node: p.node, operand: .input(Input.x), found: try p.input(Input.x).type)
  }
}

private struct ScatterBody: ComputationBody {
  let slices: IndexedSlices

  func prepare<Scalar: Element>(
    _ p: inout Preparation, _ function: @escaping @Sendable (Scalar, Scalar) -> Scalar
  ) throws(InferenceError) -> Evaluate {
    switch try p.input(Input.indices).type {
    case .int32: return try prepare(&p, function, Int32.self)
    case .int64: return try prepare(&p, function, Int64.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(Input.indices), found: type)
    }
  }

  private func prepare<Scalar: Element, Index: Element & FixedWidthInteger>(
    _ p: inout Preparation, _ function: @escaping @Sendable (Scalar, Scalar) -> Scalar,
    _: Index.Type
  ) throws(InferenceError) -> Evaluate {
    let x = try p.input(Input.x, typedAsFirst: Scalar.self)
    let updates = try p.input(Input.updates, typedAsFirst: Scalar.self)
    let indices = try p.input(Input.indices, as: Index.self)
    let y = try p.output(typedAsFirst: Scalar.self, shape: x.shape)
    p.mayOverwrite(inputs: Input.x)
    guard updates.count > 0 else {
      return { e in copy(e[x], to: e[y]) }
    }
    return { [slices] e in
      copy(e[x], to: e[y])
      guard let from = e[updates].baseAddress, let to = e[y].baseAddress else { return }
      slices.scatter(from, e[indices], into: to, function)
    }
  }
}

/// Copies elements unless they are in the same memory.
private func copy<Scalar>(
  _ x: UnsafeMutableBufferPointer<Scalar>, to y: UnsafeMutableBufferPointer<Scalar>
) {
  guard let from = x.baseAddress, let to = y.baseAddress, from != to else { return }
  to.update(from: from, count: x.count)
}
