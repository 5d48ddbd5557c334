//===--- SourceWriter+Inline.swift - types with their weights -------------===//
//
// The records of all layers as integer literals, and a call with spans over memory of the type.
//
// Contract  In Embedded Swift each record is one literal: no heap, no copy. Elsewhere long records are
//           pieces, which compile faster, and are copied to the heap at their first use.
// Cost      The Swift compiler needs 0.05 s for a literal of 16 KiB, 1 s for 64 KiB, 4 s for 128 KiB.
//===----------------------------------------------------------------------===//

extension SourceWriter {
  /// The largest record that is always one literal.
  private static let literalLimit = 16384
  /// The bytes of each of several literals, as in `CompiledMemory`.
  private static let pieceByteCount = 4096
  /// Outputs of more bytes together are written to memory of the caller.
  private static let resultLimit = 4096

  /// The memory, and the functions that run the model; the last up to its parameters.
  var memoryAndCalls: [String] {
    let isReturned =
      outputs.reduce(0) { $0 + $1.count * $1.tensor.type.bitWidth / 8 } <= SourceWriter.resultLimit
    var parameters = inputs.map { "\($0.name): Span<\($0.type)>" }
    if !isReturned {
      parameters += outputs.map { "\($0.name): inout MutableSpan<\($0.type)>" }
    }
    let arrays = outputs.map { "InlineArray<\($0.count), \($0.type)>" }
    let result =
      arrays.count == 1
      ? arrays[0]
      : "(" + zip(outputs, arrays).map { "\($0.name): \($1)" }.joined(separator: ", ") + ")"
    let filled = states.filter { $0.byte != 0 }
    var lines = [
      "",
      "  private var memory = InlineArray<\(max(arenaByteCount + 7, 8) / 8), UInt64>(repeating: 0)",
      "",
      "  /// A model that is ready to run.",
      filled.isEmpty ? "  public init() {}" : "  public init() { reset() }",
    ]
    if !filled.isEmpty {
      lines += [
        "",
        "  /// Clears what the model keeps between runs.",
        "  public mutating func reset() {",
        "    unsafe CompiledMemory.withAddress(of: &memory) { arena in",
        "      unsafe Self.reset(arena: UnsafeMutableRawPointer(arena))",
        "    }",
        "  }",
        "",
        "  /// Clears what the model keeps between runs in memory of the caller.",
        "  public static func reset(arena: UnsafeMutableRawPointer) {",
      ]
      lines += states.map(fill) + ["  }"]
    } else if !states.isEmpty {
      lines += [
        "",
        "  /// Clears what the model keeps between runs.",
        "  public mutating func reset() { memory = InlineArray(repeating: 0) }",
      ]
    }
    lines += [
      "",
      "  /// Runs the model. Inputs and outputs have as many elements as their tensors.",
      "  public mutating func callAsFunction(",
      "    " + parameters.joined(separator: ", "),
      "  )\(isReturned ? " -> " + result : "") {",
    ]
    if isReturned {
      lines += zip(outputs, arrays).map { "    var \($0.name) = \($1)(repeating: 0)" }
    }
    lines += scopes(isReturned: isReturned)
    if isReturned {
      let names = outputs.map(\.name).joined(separator: ", ")
      lines.append("    return " + (outputs.count == 1 ? names : "(\(names))"))
    }
    return lines + [
      "  }",
      "",
      "  /// Runs the model over memory of the caller. Each address has as many elements as its tensor,",
      "  /// and the arena has `arenaByteCount` bytes, aligned to four"
        + (states.isEmpty
          ? "." : filled.isEmpty ? ", which are zeros before the first run." : "; reset it first."),
      "  public static func run(",
      "    " + (addresses + ["arena: UnsafeMutableRawPointer"]).joined(separator: ", "),
    ]
  }

  /// The call of `run` with the addresses of all memory, one scope for each.
  private func scopes(isReturned: Bool) -> [String] {
    var opened = inputs.map { "of: \($0.name), count: \($0.count)) { \($0.name) in" }
    opened += outputs.map {
      isReturned
        ? "of: &\($0.name)) { \($0.name) in"
        : "of: &\($0.name), count: \($0.count)) { \($0.name) in"
    }
    opened.append("of: &memory) { arena in")
    let arguments = (inputs + outputs).map { "\($0.name): \($0.name)" }
    func indented(_ depth: Int, _ text: String) -> String {
      String(repeating: " ", count: 4 + 2 * depth) + text
    }
    return opened.enumerated().map {
      indented($0, "unsafe CompiledMemory.withAddress(\($1)")
    } + [
      indented(
        opened.count,
        "unsafe Self.run(\(arguments.joined(separator: ", ")), "
          + "arena: UnsafeMutableRawPointer(arena))")
    ] + opened.indices.reversed().map { indented($0, "}") }
  }

  /// The addresses of all records.
  var records: [String] {
    let blob = lowering.blob
    let ends = blob.starts.dropFirst() + [blob.bytes.count]
    var lines = ["", "  // MARK: - Constants and weights of the layers", ""]
    for (start, end) in zip(blob.starts, ends) {
      let literal = [
        "  private static var record\(start): UnsafeRawPointer {",
        "    unsafe CompiledMemory.bytes(\(SourceText.literal(blob.bytes[start..<end])))",
        "  }",
      ]
      guard end - start > SourceWriter.literalLimit else {
        lines += literal
        continue
      }
      let pieces = stride(from: start, to: end, by: SourceWriter.pieceByteCount).map {
        SourceText.literal(blob.bytes[$0..<min($0 + SourceWriter.pieceByteCount, end)])
      }
      lines += ["  #if hasFeature(Embedded)"] + literal
      lines += [
        "  #else",
        "  nonisolated(unsafe) private static let record\(start) = unsafe CompiledMemory.bytes(",
        "    count: \(end - start),",
        "    " + pieces.joined(separator: ",\n    ") + ")",
        "  #endif",
      ]
    }
    return lines
  }
}
