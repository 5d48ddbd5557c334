//===--- If.swift - IF, STABLEHLO_COMPOSITE -------------------------------===//
//
// IF runs one of two subgraphs. A composite operator is defined by a subgraph.
//
// Inputs  IF: 0 the condition, one bool; the others are the subgraph's inputs. STABLEHLO_COMPOSITE:
//         the subgraph's inputs.
// Outputs The subgraph's outputs, with their types and shapes.
// Options IfOptions: the subgraphs; CompositeOptions: the decomposition.
// Shapes  If the results of both branches have the same fixed shapes, both are prepared with the
//         graph. If they differ, or the condition is known, only the branch taken is prepared.
// Source  LiteRT 2.3.0 `if.cc`, `stablehlo_composite.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

extension ControlOperator {
  static let `if` = ControlOperator(.if) { p throws(InferenceError) in try prepareIf(&p) }

  static let composite = ControlOperator(.stablehloComposite) { p throws(InferenceError) in
    guard case .composite(let options) = p.common.operation.options else {
      throw .options(node: p.common.node)
    }
    return try p.callAlone(options.subgraph, inputs: 0..<p.common.inputCount)
  }
}

private func prepareIf(_ p: inout ControlPreparation) throws(InferenceError) -> Work {
  guard case .if(let options) = p.common.operation.options else {
    throw .options(node: p.common.node)
  }
  try p.common.expect(inputs: 1...Int.max, outputs: 0...Int.max)
  let inputs = 1..<p.common.inputCount
  if let condition = try p.knownCondition(0) {
    let taken = condition ? options.thenSubgraph : options.elseSubgraph
    return try p.callAlone(taken, inputs: inputs)
  }
  let (arguments, slots) = try p.arguments(inputs)
  let use = p.common.budget.use
  let then = try p.plan(options.thenSubgraph, arguments)
  let otherwise = try p.plan(options.elseSubgraph, arguments)
  guard then.isFixed, otherwise.isFixed, then.hasFixedInterface,
    then.results == otherwise.results, otherwise.hasFixedInterface
  else {
    p.common.budget.use = use
    throw .valueNotKnown(node: p.common.node, operand: .input(0))
  }
  let arena = p.arena(for: then, otherwise)
  let thenResults = try p.takeResults(of: then)
  let otherResults = try p.takeResults(of: otherwise)
  return .branch(
    condition: try p.common.input(0).index,
    then: Call(plan: then, arena: arena, inputs: slots, results: thenResults),
    otherwise: Call(plan: otherwise, arena: arena, inputs: slots, results: otherResults))
}
