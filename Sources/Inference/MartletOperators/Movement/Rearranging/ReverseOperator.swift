//===--- ReverseOperator.swift - REVERSE_V2, REVERSE_SEQUENCE -------------===//
//
// REVERSE_V2        Inputs 0 x: any type; 1 axes: int32, adjacent axes in any order.
//                   Output 0 y: x with these axes reversed.
// REVERSE_SEQUENCE  Inputs 0 x: any type; 1 lengths: int32 or int64, one for each batch.
//                   Output 0 y: x with the first elements of each batch's sequence reversed.
// Options           ReverseSequenceOptions: the axes of sequences and batches.
// Source            LiteRT 2.3.0 `reverse.cc`, `reverse_sequence.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs of REVERSE_V2.
private enum Input {
  static let x = 0
  static let axes = 1
}

/// The inputs of REVERSE_SEQUENCE.
private enum SequenceInput {
  static let x = 0
  static let lengths = 1
}

extension Registration {
  static let reverseV2 = Registration(
    .reverseV2, versions: 1...4, traits: OperatorTraits(strings: .firstInput, typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let x = try p.inputBytes(Input.x)
    var isReversed = [Bool](repeating: false, count: x.shape.rank)
    let axes = try p.values(of: Input.axes, as: Int32.self)
    for index in axes {
      let axis = try p.axis(Int(index), of: x.shape)
      guard !isReversed[axis] else {
        throw .option(node: p.node, name: "axis", value: Int(index))
      }
      isReversed[axis] = true
    }
    if let first = isReversed.firstIndex(of: true) {
      guard isReversed[first...].prefix(axes.count).allSatisfy({ $0 }) else {
        throw .option(node: p.node, name: "axis", value: Int(axes[0]))
      }
    }
    let y = try p.outputBytes(0, typedAs: Input.x, shape: x.shape)
    var start = 0
    let walk = (0..<x.shape.rank).map { axis in
      let stride = x.strides[axis]
      if isReversed[axis], x.shape[axis] > 0 { start += (x.shape[axis] - 1) * stride }
      return StridedCopy.Axis(
        extent: x.shape[axis], source: isReversed[axis] ? -stride : stride, destination: stride)
    }
    let copy = StridedCopy(walk, elementSize: x.elementSize, sourceStart: start)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }

  static let reverseSequence = Registration(
    .reverseSequence, versions: 1...1
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(SequenceInput.lengths).type {
    case .int32: return try prepareReverseSequence(&p, Int32.self)
    case .int64: return try prepareReverseSequence(&p, Int64.self)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(SequenceInput.lengths), found: found)
    }
  }
}

private func prepareReverseSequence<Length: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Length.Type
) throws(InferenceError) -> Evaluate {
  guard case .reverseSequence(let options) = p.operation.options else {
    throw .options(node: p.node)
  }
  let x = try p.inputBytes(SequenceInput.x)
  let (time, batch) = (options.sequenceAxis, options.batchAxis)
  guard (0..<x.shape.rank).contains(time) else {
    throw .option(node: p.node, name: "seq_dim", value: time)
  }
  guard (0..<x.shape.rank).contains(batch), batch != time else {
    throw .option(node: p.node, name: "batch_dim", value: batch)
  }
  let lengths = try p.input(SequenceInput.lengths, as: Length.self)
  try p.shape(ofInput: SequenceInput.lengths, ranks: 1...1)
  try p.expectCount(x.shape[batch], input: SequenceInput.lengths)
  let y = try p.outputBytes(0, typedAs: SequenceInput.x, shape: x.shape)
  let extents = SequenceExtents(x.shape, time: time, batch: batch, elementSize: x.elementSize)
  return p.evaluation(withIndicesIn: SequenceInput.lengths) { e throws(IndexOutOfRange) in
    try Reference.reverseSequences(e[x], lengths: e[lengths], extents, into: e[y])
  }
}
