//===--- ModelInspection.swift - a model in words and as JSON -------------===//
//
// Checked   Tests/MartletToolTests/CommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference
import MartletModel

/// What can be said of a model.
struct ModelInspection {
  let model: Model
  let metadata: ModelMetadata?
  let byteCount: Int
  /// The model, ready to run, or `nil` where that is not possible.
  let interpreter: Interpreter?
  /// Why it is not possible.
  let problem: InferenceError?

  init(bytes: [UInt8], options: Interpreter.Options) throws {
    model = try Model(bytes: bytes)
    metadata = try model.readMetadata()
    byteCount = bytes.count
    do throws(InferenceError) {
      interpreter = try Interpreter(model: model, options: options)
      problem = nil
    } catch {
      interpreter = nil
      problem = error
    }
  }

  /// The operators of the main subgraph with how often each occurs, in order of their names.
  private var operators: [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for operation in model.subgraphs.first?.operators ?? [] {
      counts["\(operation.code.name) v\(operation.version)", default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func tensors(_ indices: [Int]) -> [InterfaceTensor] {
    guard let subgraph = model.subgraphs.first else { return [] }
    return indices.map { index in
      let tensor = subgraph.tensors[index]
      return InterfaceTensor(
        name: tensor.name, type: tensor.type, shape: tensor.shape,
        quantization: tensor.quantization)
    }
  }

  private var inputs: [InterfaceTensor] { tensors(model.subgraphs.first?.inputs ?? []) }
  private var outputs: [InterfaceTensor] { tensors(model.subgraphs.first?.outputs ?? []) }

  /// The labels of each output that has some.
  private var labels: [(output: Int, names: [String])] {
    guard let metadata, let subgraph = metadata.subgraphs.first else { return [] }
    return subgraph.outputs.enumerated().compactMap { index, tensor in
      for type in [AssociatedFileType.tensorAxisLabels, .tensorValueLabels] {
        if let labels = try? metadata.labels(of: tensor, type: type, locale: "en") {
          return (index, labels.displayNames ?? labels.names)
        }
      }
      return nil
    }
  }
}

// MARK: - JSON

extension ModelInspection {
  /// One object; times are in it only where there is a profile.
  func json(_ profile: Profile?) -> JSON {
    var members: [(String, JSON)] = [
      ("bytes", .integer(byteCount)), ("description", .string(model.description)),
      ("subgraphs", .integer(model.subgraphs.count)),
      ("inputs", .array(inputs.map(\.json))), ("outputs", .array(outputs.map(\.json))),
      (
        "signatures",
        .array(
          model.signatures.map { signature in
            .object([
              ("key", .string(signature.key)), ("subgraph", .integer(signature.subgraph)),
              ("inputs", .array(signature.inputs.map { .string($0.name) })),
              ("outputs", .array(signature.outputs.map { .string($0.name) })),
            ])
          })
      ),
      ("operators", .object(operators.map { ($0.name, .integer($0.count)) })),
    ]
    if let metadata { members.append(("metadata", metadata.json)) }
    for (output, names) in labels {
      members.append(("labels_of_output_\(output)", .array(names.map { .string($0) })))
    }
    if let interpreter {
      members += [
        ("multiply_adds", .integer(interpreter.multiplyAdds)),
        ("arena_bytes", .integer(interpreter.arenaByteCount)),
        ("folded_bytes", .integer(interpreter.foldedByteCount)),
        (
          "memory_plan",
          .array(
            interpreter.memoryBlocks.map { block in
              .object([
                ("tensor", block.tensor.map { .integer($0) } ?? .null),
                ("offset", .integer(block.offset)), ("bytes", .integer(block.byteCount)),
                ("first", .integer(block.lifetime.lowerBound)),
                ("last", .integer(block.lifetime.upperBound)),
              ])
            })
        ),
      ]
    }
    if let profile { members.append(("profile", profile.json)) }
    return .object(members)
  }
}

extension ModelMetadata {
  fileprivate var json: JSON {
    .object([
      ("name", .string(name)), ("description", .string(description)),
      ("version", .string(version)), ("author", .string(author)), ("license", .string(license)),
    ])
  }
}

// MARK: - Text

extension ModelInspection {
  var text: String {
    var parts = [heading, interface("input", inputs), interface("output", outputs)]
    if !model.signatures.isEmpty {
      parts.append("signatures: " + model.signatures.map(\.key).joined(separator: ", "))
    }
    var table = TextTable([("operator", .left), ("count", .right)])
    for (name, count) in operators { table.add(name, String(count)) }
    parts.append("\(table)")
    for (output, names) in labels {
      let shown = names.prefix(6).joined(separator: ", ")
      let more = names.count > 6 ? ", …" : ""
      parts.append("\(names.count) labels of output \(output): \(shown)\(more)")
    }
    if let interpreter {
      parts.append(
        """
        multiply-adds  \(interpreter.multiplyAdds)
        arena          \(interpreter.arenaByteCount) bytes
        folded         \(interpreter.foldedByteCount) bytes
        """)
      parts.append(MemoryPicture(of: interpreter).text)
    }
    return parts.joined(separator: "\n\n")
  }

  private var heading: String {
    var lines = ["\(byteCount) bytes, \(model.subgraphs.count) subgraphs, \(model.description)"]
    if let metadata {
      lines.append("\(metadata.name) \(metadata.version) by \(metadata.author)")
      lines.append(metadata.description)
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
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
}
