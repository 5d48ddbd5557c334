//===--- While.swift - WHILE ----------------------------------------------===//
//
// Runs a body subgraph while a condition subgraph returns true. Both get all loop variables; the
// body's results are the variables of the next iteration.
//
// Inputs  The loop variables before the first iteration.
// Outputs The loop variables after the last iteration; their number is that of the inputs.
// Options WhileOptions: the subgraphs.
// Shapes  If the body keeps all shapes, everything is prepared with the graph and iterations
//         allocate nothing. Otherwise body and condition are prepared whenever the shapes change.
// Memory  Variables are in the outputs; those that the body passes on unchanged are not copied.
// Source  LiteRT 2.3.0 `while.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

extension ControlOperator {
  static let `while` = ControlOperator(.while) { p throws(InferenceError) in try prepareWhile(&p) }
}

private func prepareWhile(_ p: inout ControlPreparation) throws(InferenceError) -> Work {
  guard case .while(let options) = p.common.operation.options else {
    throw .options(node: p.common.node)
  }
  let count = p.common.inputCount
  try p.common.expect(inputs: 1...Int.max, outputs: count...count)
  let (inputs, outputs) = try p.interface(ofSubgraph: options.bodySubgraph)
  for expected in [inputs.count, outputs.count] where expected != count {
    throw .operandCount(node: p.common.node, found: count, expected: expected...expected)
  }
  let isForwarded = (0..<count).map { inputs[$0] == outputs[$0] }
  var arguments: [Argument] = []
  for index in 0..<count {
    arguments.append(try p.argument(index, isInvariant: isForwarded[index]))
  }
  let use = p.common.budget.use
  let condition = try p.plan(options.conditionSubgraph, arguments)
  let body = try p.plan(options.bodySubgraph, arguments)
  let expected = arguments.map { $0.withoutElements }
  guard condition.isFixed, body.isFixed, body.hasFixedInterface, body.results == expected else {
    p.common.budget.use = use
    return .open(.loop(condition: options.conditionSubgraph, body: options.bodySubgraph))
  }
  try condition.expectCondition(condition.tensors, node: p.common.node)
  return .loop(try fixedLoop(&p, condition, body, isForwarded: isForwarded))
}

private func fixedLoop(
  _ p: inout ControlPreparation, _ condition: SubgraphPlan, _ body: SubgraphPlan,
  isForwarded: [Bool]
) throws(InferenceError) -> Loop {
  let arena = p.arena(for: condition, body)
  var initial: [Copy] = []
  var slots: [Int] = []
  for (index, output) in p.common.operation.outputs.enumerated() {
    let info = try p.common.input(index)
    slots.append(isForwarded[index] ? info.index : output)
    p.setTensor(output, to: Argument(info))
    guard info.type != .resource else { continue }
    initial.append(Copy(from: info.index, to: output, byteCount: try p.byteCount(of: info)))
  }
  var results: [Copy] = []
  var save: [Copy] = []
  var restore: [Copy] = []
  for (index, result) in body.graph.outputs.enumerated() where !isForwarded[index] {
    let output = p.common.operation.outputs[index]
    let bytes = try p.byteCount(of: p.common.tensors.infos[output])
    if let source = body.graph.inputs.firstIndex(of: result) {
      let scratch = p.common.requirements.placeInArena(bytes: bytes)
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
