//===--- Variables.swift - VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, CALL_ONCE ===//
//
// Variables that keep their elements from run to run and are seen by all subgraphs. Which variable
// a tensor of type resource stands for is known when the graph is prepared; nothing of it is left
// when the graph runs.
//
// Inputs  READ_VARIABLE: 0 the variable. ASSIGN_VARIABLE: 0 the variable, 1 its new value.
// Outputs VAR_HANDLE: 0 the variable that container and shared name stand for, in every subgraph.
//         READ_VARIABLE: 0 the value. CALL_ONCE: none.
// Options VarHandleOptions: the name; CallOptions: a subgraph without inputs and outputs that runs
//         once for each set of variables.
// Shapes  A variable that is assigned values of one shape alone has that shape; others have the one
//         of their last value, known when the graph runs.
// Source  LiteRT 2.3.0 `var_handle.cc`, `read_variable.cc`, `assign_variable.cc`, `call_once.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Registration {
  static let varHandle = Registration(
    .varHandle,
    control: { p throws(InferenceError) in
      try p.expect(inputs: 0...0)
      guard case .varHandle(let name) = p.operation.options,
        let variable = p.context?.variables[name]
      else { throw .options(node: p.node) }
      let output = try p.output(0)
      p.setShape(output.shape, type: .resource, ofTensor: output.index)
      p.resources[output.index] = variable
      return .kernel { _ in }
    })

  static let readVariable = Registration(
    .readVariable,
    control: { p throws(InferenceError) in
      try p.expect(inputs: 1...1)
      let variable = try p.variable(ofInput: 0)
      let output = try p.output(0)
      let info = try p.expectedValue(
        of: variable, declared: VariableInfo(type: output.declaredType, shape: output.shape))
      guard info.type == output.declaredType else {
        throw .type(
          node: p.node, operand: .output(0), found: output.declaredType, expected: info.type)
      }
      _ = try p.outputBytes(0, shape: info.shape)
      return .read(p.access(to: variable, slot: output.index, info))
    })

  static let assignVariable = Registration(
    .assignVariable,
    control: { p throws(InferenceError) in
      try p.expect(inputs: 2...2, outputs: 0...0)
      let variable = try p.variable(ofInput: 0)
      let value = try p.inputBytes(1)
      let info = VariableInfo(type: try p.input(1).declaredType, shape: value.shape)
      try p.ledger.note(info, of: variable, node: p.node)
      return .assign(p.access(to: variable, slot: value.slot, info))
    })

  static let callOnce = Registration(
    .callOnce,
    control: { p throws(InferenceError) in
      try p.expect(inputs: 0...0, outputs: 0...0)
      guard case .callOnce(let options) = p.operation.options else {
        throw .options(node: p.node)
      }
      let plan = try p.plan(options.subgraph, [])
      let results = plan.graph.outputs.count
      guard results == 0 else {
        throw .operandCount(node: p.node, found: 0, expected: results...results)
      }
      return .once(Call(plan: plan, arena: p.arena(for: plan), inputs: [], results: []))
    })
}

extension Preparation {
  /// The variable that input `index` stands for.
  fileprivate func variable(ofInput index: Int) throws(InferenceError) -> Int {
    let tensor = try input(index)
    guard let variable = resources[tensor.index] else {
      throw .resource(node: node, operand: .input(index))
    }
    return variable
  }

  /// Type and shape of a variable's value when this node reads it.
  fileprivate func expectedValue(
    of variable: Int, declared: VariableInfo
  ) throws(InferenceError) -> VariableInfo {
    if !ledger.variablesVary {
      if let known = ledger.variables[variable] { return known }
      try ledger.note(declared, of: variable, node: node)
      return declared
    }
    // What is assigned before this node has to be assigned first.
    guard isNext, let variables else { throw .valueNotKnown(node: node, operand: .input(0)) }
    guard let value = variables.value(of: variable) else {
      throw .unassignedVariable(node: node, name: name(of: variable))
    }
    return value
  }

  fileprivate func access(
    to variable: Int, slot: Int, _ info: VariableInfo
  ) -> VariableAccess {
    VariableAccess(variable: variable, name: name(of: variable), slot: slot, info: info)
  }

  private func name(of variable: Int) -> String {
    context?.variableNames[variable] ?? ""
  }
}
