//===--- While.swift - WHILE ----------------------------------------------===//
//
// Runs a body subgraph as long as a condition subgraph says so. Both take all loop variables; the
// body's results are the variables of the next iteration.
//
// Inputs  The loop variables before the first iteration.
// Outputs The loop variables after the last; as many.
// Options WhileOptions: the subgraphs.
// Shapes  Where the body keeps all shapes, everything is prepared with the graph and iterations
//         allocate nothing. Otherwise body and condition are prepared whenever the shapes change.
// Memory  Variables live in the outputs; those that the body passes on stay where they are.
// Source  LiteRT 2.3.0 `while.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Registration {
  static let `while` = Registration(
    .while, control: { p throws(InferenceError) in try prepareWhile(&p) })
}

private func prepareWhile(_ p: inout Preparation) throws(InferenceError) -> Work {
  guard case .while(let options) = p.operation.options else { throw .options(node: p.node) }
  let count = p.inputCount
  try p.expect(inputs: 1...Int.max, outputs: count...count)
  let (inputs, outputs) = try p.interface(ofSubgraph: options.bodySubgraph)
  for expected in [inputs.count, outputs.count] where expected != count {
    throw .operandCount(node: p.node, found: count, expected: expected...expected)
  }
  let isForwarded = (0..<count).map { inputs[$0] == outputs[$0] }
  var arguments: [Argument] = []
  for index in 0..<count {
    arguments.append(try p.argument(index, isInvariant: isForwarded[index]))
  }
  let use = p.ledger.use
  let condition = try p.plan(options.conditionSubgraph, arguments)
  let body = try p.plan(options.bodySubgraph, arguments)
  let expected = arguments.map {
    Argument(type: $0.type, shape: $0.shape, constant: nil, resource: $0.resource)
  }
  guard condition.isFixed, body.isFixed, body.hasFixedInterface, body.results == expected else {
    p.ledger.use = use
    return .open(.loop(condition: options.conditionSubgraph, body: options.bodySubgraph))
  }
  try condition.builder.expectCondition(node: p.node)
  return .loop(try fixedLoop(&p, condition, body, isForwarded: isForwarded))
}

private func fixedLoop(
  _ p: inout Preparation, _ condition: SubgraphPlan, _ body: SubgraphPlan, isForwarded: [Bool]
) throws(InferenceError) -> Loop {
  let arena = p.arena(for: condition, body)
  var initial: [Copy] = []
  var slots: [Int] = []
  for (index, output) in p.operation.outputs.enumerated() {
    let info = try p.input(index)
    slots.append(isForwarded[index] ? info.index : output)
    p.setShape(info.shape, type: info.declaredType, ofTensor: output)
    if let resource = p.resources[info.index] { p.resources[output] = resource }
    guard info.type != .resource else { continue }
    initial.append(Copy(from: info.index, to: output, byteCount: try p.byteCount(of: info)))
  }
  var results: [Copy] = []
  var save: [Copy] = []
  var restore: [Copy] = []
  for (index, result) in body.graph.outputs.enumerated() where !isForwarded[index] {
    let output = p.operation.outputs[index]
    let bytes = try p.byteCount(of: p.tensors[output])
    if let source = body.graph.inputs.firstIndex(of: result) {
      let scratch = p.addScratch(bytes: bytes)
      save.append(Copy(from: slots[source], to: scratch, byteCount: bytes))
      restore.append(Copy(from: scratch, to: output, byteCount: bytes))
    } else if bytes > 0 {
      results.append(Copy(from: result, to: output, byteCount: bytes))
    }
  }
  return Loop(
    condition: Call(plan: condition, arena: arena, inputs: slots, results: []),
    body: Call(plan: body, arena: arena, inputs: slots, results: results),
    initial: initial, save: save, restore: restore)
}

extension SegmentBuilder {
  /// Throws unless the subgraph has one result, and that a boolean.
  func expectCondition(node: Int) throws(InferenceError) {
    guard graph.outputs.count == 1 else {
      throw .operandCount(node: node, found: graph.outputs.count, expected: 1...1)
    }
    let result = preparation.tensors[graph.outputs[0]]
    guard result.type == .bool else {
      throw .type(node: node, operand: .output(0), found: result.type, expected: .bool)
    }
    guard result.shape.elementCount == 1 else {
      throw .elementCount(
        node: node, operand: .output(0), found: result.shape.elementCount, expected: 1)
    }
  }
}
