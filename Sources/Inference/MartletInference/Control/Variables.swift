//===--- Variables.swift - resource variables -----------------------------===//
//
// VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE and CALL_ONCE. Variables keep their elements between
// runs and are shared by all subgraphs. The variable of each tensor of type resource is resolved
// when the graph is prepared.
//
// Inputs  READ_VARIABLE: 0 the variable. ASSIGN_VARIABLE: 0 the variable, 1 its new value.
// Outputs VAR_HANDLE: 0 the variable with this container and shared name, in every subgraph.
//         READ_VARIABLE: 0 the value. CALL_ONCE: none.
// Options VarHandleOptions: the name; CallOptions: a subgraph without inputs and outputs that runs
//         once for each set of variables.
// Shapes  A variable whose assigned values all have one shape has that shape. Others have the shape
//         of their last value, known when the graph runs.
// Source  LiteRT 2.3.0 `var_handle.cc`, `read_variable.cc`, `assign_variable.cc`, `call_once.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

extension ControlOperator {
  static let varHandle = ControlOperator(
    .varHandle,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 0...0)
      guard case .varHandle(let name) = p.common.operation.options,
        let variable = p.context?.variables[name]
      else { throw .options(node: p.common.node) }
      let output = try p.common.output(0)
      var value = Argument(type: .resource, shape: output.shape)
      value.resource = .variable(variable)
      p.setTensor(output.index, to: value)
      return .kernel { _ in }
    })

  static let readVariable = ControlOperator(
    .readVariable,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 1...1)
      let variable = try p.variable(ofInput: 0)
      let output = try p.common.output(0)
      let info = try p.expectedValue(
        of: variable, declared: VariableInfo(type: output.declaredType, shape: output.shape))
      guard info.type == output.declaredType else {
        throw .type(
          node: p.common.node, operand: .output(0), found: output.declaredType, expected: info.type)
      }
      _ = try p.common.outputBytes(0, shape: info.shape)
      return .read(p.access(to: variable, slot: output.index, info))
    })

  static let assignVariable = ControlOperator(
    .assignVariable,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 2...2, outputs: 0...0)
      let variable = try p.variable(ofInput: 0)
      let value = try p.common.inputBytes(1)
      let info = VariableInfo(type: try p.common.input(1).declaredType, shape: value.shape)
      try p.common.budget.note(info, of: variable, node: p.common.node)
      return .assign(p.access(to: variable, slot: value.slot, info))
    })

  static let callOnce = ControlOperator(
    .callOnce,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 0...0, outputs: 0...0)
      guard case .callOnce(let options) = p.common.operation.options else {
        throw .options(node: p.common.node)
      }
      let plan = try p.plan(options.subgraph, [])
      let results = plan.graph.outputs.count
      guard results == 0 else {
        throw .operandCount(node: p.common.node, found: 0, expected: results...results)
      }
      return .once(Call(plan: plan, arena: p.arena(for: plan), inputs: [], results: []))
    })
}

extension ControlPreparation {
  /// The variable that input `index` refers to.
  fileprivate func variable(ofInput index: Int) throws(InferenceError) -> Int {
    guard case .variable(let variable) = try common.input(index).resource else {
      throw .resource(node: common.node, operand: .input(index))
    }
    return variable
  }

  /// The type and shape of a variable's value when this node reads it.
  fileprivate func expectedValue(
    of variable: Int, declared: VariableInfo
  ) throws(InferenceError) -> VariableInfo {
    if !common.budget.variablesVary {
      if let known = common.budget.variables[variable] { return known }
      try common.budget.note(declared, of: variable, node: common.node)
      return declared
    }
    // Assignments before this node have to run first.
    guard isNext, let variables else { throw .valueNotKnown(node: common.node, operand: .input(0)) }
    guard let value = variables.value(of: variable) else {
      throw .unassignedVariable(node: common.node, name: name(of: variable))
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
