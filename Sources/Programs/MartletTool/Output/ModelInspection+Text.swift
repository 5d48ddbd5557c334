//===--- ModelInspection+Text.swift - a model as text ---------------------===//

import MartletCommandLine
import MartletInference
import MartletModel
import MartletVision

extension ModelInspection {
  /// The inputs, outputs, operators and totals.
  var text: String {
    var parts = [heading]
    if !missing.isEmpty { parts.append(missingTable) }
    parts += [interface("input", inputs), interface("output", outputs)]
    if let openSides { parts.append(openSides) }
    if let detector = DetectorSummary.text(of: model) {
      let lines = detector.split(separator: "\n").map { String($0).printable }
      parts.append((["as a detector"] + lines).joined(separator: "\n"))
    }
    if !model.signatures.isEmpty { parts.append(signatures) }
    var table = TextTable([("operator", .left), ("count", .right)])
    for (name, count) in operators { table.add(name, String(count)) }
    parts.append("\(table)")
    for (output, names) in labels {
      let shown = names.prefix(6).joined(separator: ", ").printable
      let more = names.count > 6 ? ", …" : ""
      parts.append("\(names.count) labels of output \(output): \(shown)\(more)")
    }
    parts.append(totals)
    return parts.joined(separator: "\n\n")
  }

  /// All tensors and nodes, and the arena at each node.
  var details: String {
    var parts = model.subgraphs.enumerated().flatMap { index, subgraph in
      [tensorTable(subgraph, index), operatorTable(subgraph, index)]
    }
    if let interpreter {
      parts.append(
        MemoryChart(interpreter.memoryBlocks, names: tensorNames.map(\.printable)).text)
    }
    return parts.joined(separator: "\n\n")
  }

  private var heading: String {
    var lines = [
      "\(byteCount) bytes, \(model.subgraphs.count) subgraphs, \(model.description.printable)"
    ]
    if let metadata {
      lines.append("\(metadata.name) \(metadata.version) by \(metadata.author)".printable)
      lines.append(metadata.description)
      if !metadata.license.isEmpty { lines.append("licence: \(metadata.license)") }
      let subgraph = metadata.subgraphs.first
      for (title, tensors) in [
        ("input", subgraph?.inputs ?? []), ("output", subgraph?.outputs ?? []),
      ] {
        for (index, tensor) in tensors.enumerated() {
          lines.append("\(title) \(index): \(tensor.name) \(tensor.description)".printable)
        }
      }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The size at which an input of variable size is run.
  private var openSides: String? {
    let sides = model.openInputSides
    guard !sides.isEmpty else { return nil }
    let names = sides.height && sides.width ? "height and width" : sides.height ? "height" : "width"
    return "input 0: \(names) of each image, at most \(OpenInputSides.limit) pixels"
  }

  private var missingTable: String {
    var table = TextTable([
      ("not there", .left), ("version", .right), ("inputs", .left), ("outputs", .left),
      ("count", .right), ("why", .left),
    ])
    for operation in missing {
      table.add(
        operation.name, String(operation.version), operation.inputTypes, operation.outputTypes,
        String(operation.nodes.count), "\(operation.reason)")
    }
    return "\(table)"
  }

  private var signatures: String {
    var table = TextTable([
      ("signature", .left), ("subgraph", .right), ("inputs", .left), ("outputs", .left),
    ])
    for signature in model.signatures {
      table.add(
        signature.key, String(signature.subgraph),
        signature.inputs.map(\.name).joined(separator: ", "),
        signature.outputs.map(\.name).joined(separator: ", "))
    }
    return "\(table)"
  }

  private var totals: String {
    var table = TextTable([("total", .left), ("", .right)])
    table.add("multiply-adds", String(multiplyAdds))
    table.add("bytes of constants in the file", String(constantByteCount))
    if let interpreter {
      table.add("bytes of constants aligned or expanded", String(interpreter.memory.copied))
      table.add("bytes computed once from constants", String(interpreter.memory.folded))
      table.add("bytes of packed weights", String(interpreter.memory.packed))
      table.add("bytes of variables", String(interpreter.memory.variables))
      table.add("bytes of the arena", String(interpreter.arenaByteCount))
    }
    return "\(table)"
  }

  private func interface(_ title: String, _ tensors: [InterfaceTensor]) -> String {
    var table = TextTable([
      (title, .right), ("name", .left), ("type", .left), ("shape", .left), ("scale", .left),
      ("zero point", .right),
    ])
    for (index, tensor) in tensors.enumerated() {
      let map = tensor.quantization
      table.add(
        String(index), tensor.name, "\(tensor.type)", "\(tensor.shape)",
        map.map { "\($0.scale)" } ?? "", map.map { "\($0.zeroPoint)" } ?? "")
    }
    return "\(table)"
  }

  private func tensorTable(_ subgraph: Subgraph, _ index: Int) -> String {
    var table = TextTable([
      ("tensor", .right), ("type", .left), ("shape", .left), ("constant", .right), ("is", .left),
      ("scale", .left), ("zero point", .left), ("axis", .right), ("name", .left),
    ])
    for (index, tensor) in subgraph.tensors.enumerated() {
      let map = tensor.quantization
      let bytes = byteCount(ofConstant: tensor)
      var roles: [String] = []
      if subgraph.inputs.contains(index) { roles.append("input") }
      if subgraph.outputs.contains(index) { roles.append("output") }
      if tensor.isVariable { roles.append("variable") }
      if tensor.sparsity != nil { roles.append("sparse") }
      if let details = tensor.details { roles.append("\(details.name) scales") }
      table.add(
        String(index), "\(tensor.type)", "\(tensor.statedExtents)",
        bytes > 0 ? String(bytes) : "", roles.joined(separator: " "),
        map.map { ModelInspection.shortened($0.scales.map { "\($0)" }) } ?? "",
        map.map { ModelInspection.shortened($0.zeroPoints.map { "\($0)" }) } ?? "",
        map.map { $0.isPerTensor ? "" : String($0.axis) } ?? "", tensor.name)
    }
    return title(of: subgraph, index) + "\n\(table)"
  }

  /// One value, or the first and the number of values.
  private static func shortened(_ values: [String]) -> String {
    guard let first = values.first else { return "" }
    return values.count == 1 ? first : "\(first), … (\(values.count))"
  }

  private func operatorTable(_ subgraph: Subgraph, _ index: Int) -> String {
    var table = TextTable([
      ("node", .right), ("operator", .left), ("inputs", .left), ("outputs", .left),
      ("multiply-adds", .right), ("options", .left),
    ])
    for (operation, summary) in zip(subgraph.operators, NodeSummary.stated(subgraph)) {
      table.add(
        String(summary.index), "\(operation.code.name) v\(operation.version)",
        operation.inputs.map { $0 < 0 ? "-" : String($0) }.joined(separator: " "),
        operation.outputs.map(String.init).joined(separator: " "),
        summary.multiplyAdds > 0 ? String(summary.multiplyAdds) : "",
        "\(OptionList(operation, of: model))")
    }
    return title(of: subgraph, index) + "\n\(table)"
  }

  private func title(of subgraph: Subgraph, _ index: Int) -> String {
    "subgraph \(index)" + (subgraph.name.isEmpty ? "" : " \(subgraph.name.printable)")
  }
}
