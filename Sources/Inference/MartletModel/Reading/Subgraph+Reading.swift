//===--- Subgraph+Reading.swift - reading a subgraph ----------------------===//
//
// Contract  Every index in a subgraph is valid. -1 (an absent optional tensor) is permitted only
//           among an operator's inputs.
//===----------------------------------------------------------------------===//

extension Subgraph {
  /// Reads the subgraph that `table` describes.
  init(_ table: SchemaTable, in context: SubgraphContext) throws(ModelError) {
    let tensorTables = try table.tables(0) { .tensor($0, subgraph: context.index) }
    var tensors: [TensorDescription] = []
    tensors.reserveCapacity(tensorTables.count)
    for tensor in tensorTables {
      tensors.append(
        try TensorDescription(tensor, buffers: context.buffers, tensorCount: tensorTables.count))
    }
    let operatorTables = try table.tables(3) { .operation($0, subgraph: context.index) }
    var operators: [Operator] = []
    operators.reserveCapacity(operatorTables.count)
    for operation in operatorTables {
      operators.append(try Operator(operation, in: context, tensorCount: tensors.count))
    }
    self.init(
      name: try table.string(4) ?? "", tensors: tensors,
      inputs: try table.tensorIndices(1, count: tensors.count),
      outputs: try table.tensorIndices(2, count: tensors.count), operators: operators)
  }
}

extension Operator {
  /// Reads the operator that `table` describes.
  fileprivate init(
    _ table: SchemaTable, in context: SubgraphContext, tensorCount: Int
  ) throws(ModelError) {
    let index = try table.uint32(0)
    try table.check(index, of: .operatorCode, count: context.codes.count)
    let code = context.codes[index]
    let (options, start) = try OperatorOptions.read(
      of: table, subgraphCount: context.subgraphCount)
    self.init(
      code: code.code, version: code.version,
      inputs: try table.tensorIndices(1, count: tensorCount, orAbsent: true),
      outputs: try table.tensorIndices(2, count: tensorCount),
      intermediates: try table.tensorIndices(8, count: tensorCount, orAbsent: true),
      options: options, optionTable: start,
      customOptions: try table.sharedBytes(5, orOutside: 9, fileSize: context.fileSize))
  }
}

extension SchemaTable {
  /// Reads indices of tensors; -1 is permitted only if tensors may be absent.
  fileprivate func tensorIndices(
    _ field: Int, count: Int, orAbsent: Bool = false
  ) throws(ModelError) -> [Int] {
    let indices = try int32s(field) ?? []
    for index in indices where !(orAbsent && index == -1) {
      try check(index, of: .tensor, count: count)
    }
    return indices
  }
}
