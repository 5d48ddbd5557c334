//===--- ModelInspection+JSON.swift - a model as one JSON object ----------===//

import MartletBase
import MartletCommandLine
import MartletInference
import MartletModel
import MartletVision

extension ModelInspection {
  /// One object; it contains times only if there is a profile.
  func json(_ profile: Profile?) -> JSON {
    var members: [(String, JSON)] = [
      ("bytes", .integer(byteCount)), ("description", .string(model.description)),
      ("subgraphs", .integer(model.subgraphs.count)),
      ("inputs", .array(inputs.map(\.json))), ("outputs", .array(outputs.map(\.json))),
      ("signatures", .array(model.signatures.map(\.json))),
      ("operators", .object(operators.map { ($0.name, .integer($0.count)) })),
      ("missingOperators", .array(missing.map(\.json))),
      ("graphs", .array(model.subgraphs.map(json))),
    ]
    let sides = model.openInputSides
    if !sides.isEmpty {
      members.append(
        (
          "openInput",
          .object([
            ("height", .bool(sides.height)), ("width", .bool(sides.width)),
            ("longestSide", .integer(OpenInputSides.limit)),
          ])
        ))
    }
    if let detector = DetectorSummary.text(of: model) {
      members.append(("detector", .string(detector)))
    }
    if let metadata { members.append(("metadata", metadata.json)) }
    for (output, names) in labels {
      members.append(("labels_of_output_\(output)", .array(names.map { .string($0) })))
    }
    members.append(("multiplyAdds", .integer(multiplyAdds)))
    members.append(("constantBytes", .integer(constantByteCount)))
    if let interpreter { members += memory(of: interpreter) }
    if let profile { members.append(("profile", profile.json)) }
    return .object(members)
  }

  private func memory(of interpreter: Interpreter) -> [(String, JSON)] {
    let plan = interpreter.memoryBlocks.map { block -> JSON in
      .object([
        ("tensor", block.tensor.map { .integer($0) } ?? .null),
        ("offset", .integer(block.offset)), ("bytes", .integer(block.byteCount)),
        ("first", .integer(block.lifetime.lowerBound)),
        ("last", .integer(block.lifetime.upperBound)),
      ])
    }
    return [
      ("arenaBytes", .integer(interpreter.arenaByteCount)),
      ("variableBytes", .integer(interpreter.memory.variables)),
      ("copiedBytes", .integer(interpreter.memory.copied)),
      ("foldedBytes", .integer(interpreter.memory.folded)),
      ("packedBytes", .integer(interpreter.memory.packed)),
      ("memoryPlan", .array(plan)),
    ]
  }

  private func json(_ subgraph: Subgraph) -> JSON {
    let summaries = NodeSummary.stated(subgraph)
    return .object([
      ("name", .string(subgraph.name)),
      ("inputs", .array(subgraph.inputs.map { .integer($0) })),
      ("outputs", .array(subgraph.outputs.map { .integer($0) })),
      ("tensors", .array(subgraph.tensors.map(json))),
      (
        "operators",
        .array(
          zip(subgraph.operators, summaries).map { operation, summary in
            .object([
              ("name", .string(operation.code.name)), ("version", .integer(operation.version)),
              ("inputs", .array(operation.inputs.map { .integer($0) })),
              ("outputs", .array(operation.outputs.map { .integer($0) })),
              (
                "options",
                .object(OptionList(operation, of: model).options.map { ($0.name, $0.value) })
              ),
              ("multiplyAdds", .integer(summary.multiplyAdds)),
            ])
          })
      ),
    ])
  }

  private func json(_ tensor: TensorDescription) -> JSON {
    var members: [(String, JSON)] = [
      ("name", .string(tensor.name)), ("type", .string("\(tensor.type)")),
      ("shape", .array(tensor.shape.dimensions.map { .integer($0) })),
      ("shapeSignature", .array(tensor.shapeSignature.map { .integer($0) })),
      ("constantBytes", .integer(byteCount(ofConstant: tensor))),
      ("variable", .bool(tensor.isVariable)), ("sparse", .bool(tensor.sparsity != nil)),
    ]
    if let map = tensor.quantization { members.append(("quantization", map.json)) }
    if let details = tensor.details { members.append(("quantizationDetails", details.json)) }
    return .object(members)
  }
}

extension MissingOperator {
  var json: JSON {
    .object([
      ("name", .string(name)), ("version", .integer(version)),
      ("inputs", .array(inputs.map { $0.map { .string("\($0)") } ?? .null })),
      ("outputs", .array(outputs.map { .string("\($0)") })),
      ("subgraph", .integer(subgraph)),
      ("operators", .array(nodes.map { .integer($0) })),
      ("reason", .string("\(reason)")),
    ])
  }
}

extension Signature {
  fileprivate var json: JSON {
    .object([
      ("key", .string(key)), ("subgraph", .integer(subgraph)),
      ("inputs", .array(inputs.map { .string($0.name) })),
      ("outputs", .array(outputs.map { .string($0.name) })),
    ])
  }
}

extension QuantizationDetails {
  /// The kind, and the tensors that contain its scales.
  fileprivate var json: JSON {
    func tensor(_ index: Int?) -> JSON { index.map { .integer($0) } ?? .null }
    return switch self {
    case .other(let tag): .object([("kind", .string(name)), ("tag", .integer(Int(tag)))])
    case .custom(let range):
      .object([("kind", .string(name)), ("bytes", .integer(range.count))])
    case .blockwise(let map):
      .object([
        ("kind", .string(name)), ("scalesTensor", .integer(map.scales)),
        ("zeroPointsTensor", tensor(map.zeroPoints)), ("blockSize", .integer(map.blockSize)),
      ])
    case .multiAxis(let map):
      .object([
        ("kind", .string(name)), ("scalesTensor", .integer(map.scales)),
        ("zeroPointsTensor", tensor(map.zeroPoints)), ("blockSize", .integer(map.blockSize)),
      ])
    }
  }

  /// The kind's name.
  var name: String {
    switch self {
    case .other: "other"
    case .custom: "custom"
    case .blockwise: "blockwise"
    case .multiAxis: "multi-axis"
    }
  }
}

extension ModelMetadata {
  fileprivate var json: JSON {
    .object([
      ("name", .string(name)), ("description", .string(description)),
      ("version", .string(version)), ("author", .string(author)), ("license", .string(license)),
      ("minimumParserVersion", .string(minimumParserVersion)),
      ("inputs", .array((subgraphs.first?.inputs ?? []).map(\.json))),
      ("outputs", .array((subgraphs.first?.outputs ?? []).map(\.json))),
    ])
  }
}

extension TensorMetadata {
  fileprivate var json: JSON {
    .object([("name", .string(name)), ("description", .string(description))])
  }
}
