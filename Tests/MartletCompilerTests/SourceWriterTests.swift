//===--- SourceWriterTests.swift ------------------------------------------===//

import MartletModel
import MartletWeights
import Testing

@testable import MartletCompiler

@Suite struct SourceWriterTests {
  private func compiled(
    _ shipped: ShippedModel, _ place: WeightsPlace
  ) throws -> CompiledModel {
    try CompiledModel(Model(bytes: shipped.bytes), name: "Model", weights: place)
  }

  /// The literals of a source, and the bytes that they stand for.
  private func literals(_ source: String) -> [(name: String, bytes: [UInt8])] {
    var name = ""
    return source.split(separator: "\n").compactMap { line in
      let words = line.split { " :(,);".contains($0) }.map(String.init)
      if let record = words.first(where: { $0.hasPrefix("record") }) { name = record }
      guard let literal = words.first(where: { $0.hasPrefix("0x") && $0.count > 10 }) else {
        return nil
      }
      var digits = Array(literal.utf8.dropFirst(2))
      if !digits.count.isMultiple(of: 2) { digits.removeFirst() }
      let bytes = stride(from: 0, to: digits.count, by: 2).reversed().compactMap {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
      }
      return (name, bytes)
    }
  }

  /// Long records have a literal for Embedded Swift, and pieces.
  @Test func literalsHaveTheBytesOfTheWeights() throws {
    let model = try compiled(.faceSmile, .inline)
    #expect(!model.source.contains("weights +"))
    var found: [String: [UInt8]] = [:]
    for (name, bytes) in literals(model.source) { found[name, default: []] += bytes }
    let starts = model.lowering.blob.starts
    for (start, end) in zip(starts, starts.dropFirst() + [model.weights.count]) {
      let bytes = Array(model.weights[start..<end])
      #expect(found["record\(start)"] == (bytes.count > 16384 ? bytes + bytes : bytes))
    }
  }

  @Test func inlineTypeReturnsSmallOutputs() throws {
    let source = try compiled(.faceEyes, .inline).source
    #expect(source.contains("public struct Model: ~Copyable, Sendable {"))
    #expect(source.contains("    image: Span<UInt8>\n  ) -> InlineArray<1, UInt8> {"))
    #expect(
      source.contains(
        """
        public static func run(
            image: UnsafePointer<UInt8>, probability: UnsafeMutablePointer<UInt8>, \
        arena: UnsafeMutableRawPointer
        """))
  }

  /// Their outputs have 5,040 elements and more.
  @Test func inlineTypeWritesLargeOutputsToMemoryOfTheCaller() throws {
    let source = try compiled(.faceDetectorFast, .inline).source
    #expect(source.contains("face8: inout MutableSpan<UInt8>"))
    #expect(!source.contains("return"))
  }

  @Test func typeWithAFileTakesAddresses() throws {
    let source = try compiled(.faceEyes, .file).source
    #expect(
      source.contains("public init(weights: UnsafeRawPointer, arena: UnsafeMutableRawPointer)"))
    #expect(
      source.contains(
        "image: UnsafePointer<UInt8>, probability: UnsafeMutablePointer<UInt8>\n  ) {"))
    #expect(!source.contains("0x"))
  }

  /// Arrays of a fixed size need these systems.
  @Test(arguments: [WeightsPlace.inline, .file])
  func typeNeedsTheSystemsOfItsArrays(_ place: WeightsPlace) throws {
    let source = try compiled(.faceEyes, place).source
    #expect(source.contains("@available(macOS 26, iOS 26, *)\nnonisolated public struct Model"))
  }

  /// The values are those that `martlet inspect` prints.
  @Test func tensorsAndLabelsAreConstants() throws {
    let source = try compiled(.classifier, .file).source
    #expect(
      source.contains(
        "shape: [1, 160, 160, 3], count: 76800, scale: 0.003921569, zeroPoint: 0)"))
    #expect(
      source.contains(
        """
          public static let labels: InlineArray<6, StaticString> = [
            "Fashion good",
            "Home good",
            "Food",
            "Place",
            "Plant",
            "Unknown",
          ]
        """))
  }

  @Test func eachLayerIsACallWithItsTensorsAsComment() throws {
    let source = try compiled(.faceEyes, .file).source
    #expect(source.contains("    // MEAN [1, 4, 4, 64] -> "))
    #expect(source.lineCount("    unsafe Portable.convolve(") == 5)
  }
}

extension String {
  /// The number of lines that begin with `prefix`.
  fileprivate func lineCount(_ prefix: String) -> Int {
    split(separator: "\n").count { $0.hasPrefix(prefix) }
  }
}
