//===--- Lowering+Operands.swift - operands and outputs -------------------===//
//
// Contract  As in `Lowering.swift`. What has no kernel is noted, and `nil` returned.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Lowering {
  struct Node {
    let operation: Operator
    let index: Int
    let name: String

    init(_ operation: Operator, _ index: Int, _ name: String) {
      self.operation = operation
      self.index = index
      self.name = name
    }

    var output: Int { operation.outputs.first ?? 0 }

    func input(_ index: Int) -> Int {
      index < operation.inputs.count ? operation.inputs[index] : -1
    }
  }

  /// A byte tensor in its unsigned form.
  struct Bytes {
    let map: Quantization
    let isSigned: Bool
    var scale: Float { map.scale }
    var storedZero: Int32 { Int32(truncatingIfNeeded: map.zeroPoint) }
    /// The zero point in the unsigned form.
    var zero: Int32 { storedZero &+ offset }
    /// What the unsigned form adds.
    var offset: Int32 { isSigned ? 128 : 0 }
  }

  // MARK: - Tensors

  mutating func add(_ value: Value) -> Int {
    values.append(value)
    return values.count - 1
  }

  /// Whether a layer computes an operand, or it may be a constant and is one; notes it otherwise.
  mutating func hasValue(_ n: Node, _ operand: Int, orConstant: Bool = false) -> Bool {
    let tensor = n.input(operand)
    guard valueOfTensor[tensor] == nil else { return true }
    if orConstant, isConstant(halves[tensor] ?? tensor) { return true }
    note("\(n.name) whose input \(operand) is a constant")
    return false
  }

  /// An operand that is computed or a constant.
  mutating func operand(_ n: Node, _ operand: Int) -> Layer.Part {
    let tensor = n.input(operand)
    if let value = valueOfTensor[tensor] { return .value(value) }
    if let offset = offsetOfConstant[tensor] { return .constant(offset) }
    let offset: Int
    if halves[tensor] != nil {
      offset = blob.append(constantFloats(tensor))
    } else {
      let start = model.buffers[graph.tensors[tensor].buffer].lowerBound
      let flip: UInt8 = graph.tensors[tensor].type == .int8 ? 0x80 : 0
      offset = blob.append([], (0..<byteCount(tensor)).map { model.bytes[start + $0] ^ flip })
    }
    offsetOfConstant[tensor] = offset
    return .constant(offset)
  }

  /// The bits of a constant's floats.
  func constantFloats(_ tensor: Int) -> [Int32] {
    let count = shape(tensor).elementCount
    guard let half = halves[tensor], shape(half).elementCount == count else {
      let start = model.buffers[graph.tensors[tensor].buffer].lowerBound
      return (0..<count).map { integer(at: start + 4 * $0) }
    }
    let start = model.buffers[graph.tensors[half].buffer].lowerBound
    return (0..<count).map { index in
      let bits =
        UInt16(model.bytes[start + 2 * index]) | UInt16(model.bytes[start + 2 * index + 1]) << 8
      return Int32(bits: Float(halfBits: bits))
    }
  }

  /// The value of a tensor that has one.
  func value(_ tensor: Int) -> Int { valueOfTensor[tensor, default: 0] }

  func byteCount(_ tensor: Int) -> Int {
    shape(tensor).elementCount * graph.tensors[tensor].type.bitWidth / 8
  }

  /// The shape of a tensor and the last part of its name.
  func describe(_ tensor: Int) -> String {
    // Names of fused operators are joined by semicolons, the result's first.
    let name = graph.tensors[tensor].name.prefix { $0 != ";" }
    let parts = name.split { "/:".contains($0) || $0.isNewline }
    let last = parts.last { !$0.allSatisfy(\.isNumber) } ?? ""
    return last.isEmpty ? "\(shape(tensor))" : "\(shape(tensor)) \(last.prefix(40))"
  }

  /// The map of a byte tensor, or `nil` after noting why there is none.
  mutating func bytes(_ n: Node, _ tensor: Int) -> Bytes? {
    guard tensor >= 0 else { return nil }
    let description = graph.tensors[tensor]
    guard description.type == .int8 || description.type == .uint8,
      let map = description.quantization, map.isPerTensor, map.scale > 0, map.scale.isFinite,
      (description.type == .int8 ? -128...127 : 0...255).contains(map.zeroPoint)
    else {
      note("\(n.name) of \(description.type)")
      return nil
    }
    return Bytes(map: map, isSigned: description.type == .int8)
  }

  /// Whether scaled values up to a magnitude, and what is added to them, fit in 32 bits; notes it
  /// otherwise.
  mutating func resultsFit(_ n: Node, _ factor: FixedPointMultiplier, reach: Int64) -> Bool {
    guard factor.fits(reach) else {
      note("\(n.name) whose results wrap around")
      return false
    }
    return true
  }

  /// The range of results, or `nil` after noting that the activation does more than clamp.
  mutating func range(
    _ n: Node, _ activation: Activation, _ y: Bytes
  ) -> ClosedRange<Int32>? {
    guard let real = activation.realRange else {
      note("\(n.name) with the activation \(activation)")
      return nil
    }
    return self.range(y, real)
  }

  /// The bytes of real numbers, in their unsigned form.
  func range(_ y: Bytes, _ real: ClosedRange<Float>) -> ClosedRange<Int32> {
    let range =
      y.isSigned
      ? y.map.integers(in: real, as: Int8.self) : y.map.integers(in: real, as: UInt8.self)
    return range.lowerBound + y.offset...range.upperBound + y.offset
  }

  // MARK: - Layers

  /// The product of extents, or the greatest integer if it is too large.
  static func product(_ extents: [Int]) -> Int {
    extents.reduce(1) { product, extent in
      let (result, overflow) = product.multipliedReportingOverflow(by: extent)
      return overflow ? Int.max : result
    }
  }

  /// Throws unless the output has as many elements as the operator computes.
  func expect(_ n: Node, _ extents: Int...) throws(CompileError) {
    let count = Lowering.product(extents)
    let found = shape(n.output).elementCount
    guard found == count else {
      throw .inconsistent(
        node: n.index, reason: "the output has \(found) elements, \(count) expected")
    }
  }

  /// Appends the layer that computes a node's output from its first operand, with the address of a
  /// record if there is one.
  mutating func append(
    _ n: Node, _ kernel: Kernel, _ record: Int?, scratch: Int = 0, tail: [Layer.Part] = [],
    lead: Int?
  ) {
    guard hasValue(n, 0) else { return }
    let input = Layer.Part.value(value(n.input(0)))
    let head = record.map { [.record($0), input] } ?? [input]
    append(
      n, kernel, head, scratch: scratch, tail: tail, reading: [input], leads: [lead],
      into: newOutput(n))
  }

  /// Appends a layer that reads some operands, each with the lead of the output.
  mutating func append(
    _ n: Node, _ kernel: Kernel, _ head: [Layer.Part], scratch: Int = 0, tail: [Layer.Part] = [],
    reading operands: [Layer.Part], leads: [Int?], into output: Int
  ) {
    var read: [(value: Int, lead: Int?)] = []
    for (operand, lead) in zip(operands, leads) {
      if case .value(let value, _) = operand { read.append((value, lead)) }
    }
    var tail = tail
    if scratch > 0 {
      let value = add(Value(byteCount: scratch, place: .arena))
      read.append((value, nil))
      tail.append(.value(value, "scratch"))
    }
    layers.append(
      Layer(
        comment: "\(n.name) \(shape(n.input(0))) -> \(describe(n.output))", kernel: kernel,
        arguments: head + tail + [.value(output, "to")], inputs: read.map(\.value), output: output,
        leads: read.map(\.lead)))
  }

  /// A new value for a node's output.
  mutating func newOutput(_ n: Node) -> Int {
    let output = add(Value(byteCount: byteCount(n.output), place: .arena))
    valueOfTensor[n.output] = output
    return output
  }

  /// What the model keeps between runs.
  func states(at offsets: [Int: Int]) -> [State] {
    values.indices.compactMap { index in
      values[index].initialByte.map {
        State(offset: offsets[index, default: 0], byteCount: values[index].byteCount, byte: $0)
      }
    }
  }
}
