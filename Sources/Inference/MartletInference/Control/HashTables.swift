//===--- HashTables.swift - HASHTABLE, HASHTABLE_FIND, _IMPORT, _SIZE -----===//
//
// Maps from strings to int64 or from int64 to strings. They are filled once and shared by all
// subgraphs. The table of each tensor of type resource is known when the graph is prepared.
//
// Inputs  HASHTABLE_IMPORT: 0 the table, 1 keys, 2 values of the keys' shape.
//         HASHTABLE_FIND: 0 the table, 1 keys, 2 the default value, its first element.
//         HASHTABLE_SIZE: 0 the table.
// Outputs HASHTABLE: 0 the table with this identifier and these types, in every subgraph.
//         HASHTABLE_FIND: 0 values, of the keys' shape.
//         HASHTABLE_SIZE: 0 the number of keys: int64, [1].
// Options HashtableOptions: identifier and types.
// Rules   Imports into a filled table are ignored. Of equal keys the first is used. Searching a
//         table that was never filled is an error; its size is 0.
// Source  LiteRT 2.3.0 `hashtable.cc`, `hashtable_find.cc`, `hashtable_import.cc`,
//         `hashtable_size.cc`, `static_hashtable.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// The inputs of HASHTABLE_IMPORT and HASHTABLE_FIND.
private enum Input {
  static let table = 0
  static let keys = 1
  static let values = 2
}

extension ControlOperator {
  static let hashtable = ControlOperator(
    .hashtable,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 0...0)
      guard case .hashtable(let options) = p.common.operation.options,
        let table = p.context?.tables[options]
      else { throw .options(node: p.common.node) }
      guard options.hasKnownTypes else {
        throw .option(node: p.common.node, name: "key_dtype", value: Int(options.keyType))
      }
      let output = try p.common.output(0)
      var value = Argument(type: .resource, shape: try p.common.shape([1]))
      value.resource = .table(table)
      p.setTensor(output.index, to: value)
      return .kernel { _ in }
    })

  static let hashtableImport = ControlOperator(
    .hashtableImport,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 3...3, outputs: 0...0)
      let table = try p.table(ofInput: Input.table)
      let keys = try p.common.input(Input.keys)
      let values = try p.common.input(Input.values)
      try p.expectTable(table, keys, values, at: .input(Input.values))
      guard keys.shape == values.shape else {
        throw .elementCount(
          node: p.common.node, operand: .input(Input.values), found: values.shape.elementCount,
          expected: keys.shape.elementCount)
      }
      return .open(.importTable(table))
    })

  static let hashtableFind = ControlOperator(
    .hashtableFind,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 3...3)
      let table = try p.table(ofInput: Input.table)
      let keys = try p.common.input(Input.keys)
      let output = try p.common.output(0)
      try p.expectTable(table, keys, output, at: .output(0))
      let missing = try p.common.input(Input.values)
      guard missing.declaredType == output.declaredType else {
        throw .type(
          node: p.common.node, operand: .input(Input.values), found: missing.declaredType,
          expected: output.declaredType)
      }
      guard missing.shape.elementCount > 0 else {
        throw .elementCount(
          node: p.common.node, operand: .input(Input.values), found: 0, expected: 1)
      }
      return .open(.searchTable(table))
    })

  static let hashtableSize = ControlOperator(
    .hashtableSize,
    prepare: { p throws(InferenceError) in
      try p.common.expect(inputs: 1...1)
      let table = try p.table(ofInput: Input.table)
      let shape = try p.common.shape([1])
      return .count(table: table, slot: try p.common.output(0, as: Int64.self, shape: shape).slot)
    })
}

extension HashtableOptions {
  /// Whether tables of these types are supported.
  fileprivate var hasKnownTypes: Bool {
    (keyType, valueType) == (ElementType.string.rawValue, ElementType.int64.rawValue)
      || (keyType, valueType) == (ElementType.int64.rawValue, ElementType.string.rawValue)
  }
}

extension ControlPreparation {
  /// The hash table that input `index` refers to.
  fileprivate func table(ofInput index: Int) throws(InferenceError) -> Int {
    guard case .table(let table) = try common.input(index).resource else {
      throw .resource(node: common.node, operand: .input(index))
    }
    return table
  }

  /// Throws unless `keys` and `values` have the table's types; `place` is the operand of `values`.
  fileprivate func expectTable(
    _ table: Int, _ keys: TensorInfo, _ values: TensorInfo, at place: OperandPlace
  ) throws(InferenceError) {
    guard let options = context?.tableOptions[table],
      let key = ElementType(rawValue: options.keyType),
      let value = ElementType(rawValue: options.valueType)
    else { throw .resource(node: common.node, operand: .input(Input.table)) }
    guard keys.declaredType == key else {
      throw .type(
        node: common.node, operand: .input(Input.keys), found: keys.declaredType, expected: key)
    }
    guard values.declaredType == value else {
      throw .type(node: common.node, operand: place, found: values.declaredType, expected: value)
    }
  }
}
