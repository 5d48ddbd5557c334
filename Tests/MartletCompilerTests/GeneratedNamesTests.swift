//===--- GeneratedNamesTests.swift - hostile names in generated code ------===//
//
// Every word of Swift's grammar, and text that could end a comment or a literal, as the name of a
// tensor, of a type and of a label. The Swift compiler must accept all sources.
//
// Run       .ci/check/names
//===----------------------------------------------------------------------===//

import Foundation
import MartletModel
import MartletTestSupport
import Testing

@testable import MartletCompiler

@Suite struct GeneratedNamesTests {
  /// The folder of the module `MartletCompiled`.
  private static let modules = ProcessInfo.processInfo.environment["MARTLET_NAMES"]

  /// The words of the grammar: of declarations, statements, expressions, patterns and attributes,
  /// and those that are reserved in some places only.
  private static let words = """
    Any Copyable Protocol Self Sendable Type actor any as assignment associatedtype associativity
    async await borrowing break case catch class consume consuming continue convenience copy default
    defer deinit didSet discard distributed do dynamic each else enum exclusive extension extern
    fallthrough false fileprivate final for func get guard higherThan if import in indirect infix
    init inline inout internal is isolated lazy left let lowerThan macro module mutating nil none
    nonisolated nonmutating open operator optional override package postfix precedence
    precedencegroup prefix preconcurrency private protocol public reasync repeat required rethrows
    retroactive return right safe self sending set some specialize static struct subscript super
    switch then throw throws true try typealias unavailable unchecked unowned unsafe using var weak
    where while willSet yield _ __consuming __owned __shared _const _modify _move _read _borrow
    arena arenaByteCount callAsFunction labels labels_ memory record0 reset run weights
    weightsByteCount count shape scale zeroPoint input output x Layer Floats Portable Span Int
    String Swift Void
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  /// Text that could end a comment, a line or a literal.
  private static let texts = [
    "\"", "\\", "\\(x)", "*/", "/*", "//", "a\nlet b = 1", "a\r\nb", "a\u{2028}b", "\u{85}", "\0",
    "\u{202E}x", "#\"", "\"\"\"", "`", "`in`", "$0", "#if", "@main", "é", "名前", "🐦", "a b", "1",
    String(repeating: "a", count: 100_000),
  ]

  /// A model whose input and first output have a name; its second output has one more.
  private func model(named name: String) throws -> Model {
    var model = MadeModel()
    let x = model.tensor(.float32, [2], name: name)
    let y = model.tensor(.float32, [2], name: name)
    let z = model.tensor(.float32, [2], name: name + "_")
    model.add(.relu, [x], [y])
    model.add(.tanh, [x], [z])
    (model.inputs, model.outputs) = ([x], [y, z])
    return try model.model()
  }

  private func source(_ name: String, type: String, _ place: WeightsPlace) throws -> String {
    let compiled = try CompiledModel(try model(named: name), name: type, weights: place)
    return SourceWriter(
      compiled.lowering, offsets: compiled.offsets, arenaByteCount: compiled.arenaByteCount,
      labels: [[name], GeneratedNamesTests.texts], weights: place
    ).source(of: type)
  }

  @Test(.enabled(if: modules != nil, "takes a Swift compiler: .ci/check/names"))
  func sourcesWithAllNamesTypeCheck() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A type that fills its state, too.
    let filters = try MadeModel.filters().model()
    var sources = [
      try CompiledModel(filters, name: "Filters", weights: .inline).source,
      try CompiledModel(filters, name: "FiltersOfAFile").source,
    ]
    for (index, name) in (GeneratedNamesTests.words + GeneratedNamesTests.texts).enumerated() {
      sources.append(try source(name, type: "File\(index)", .file))
      sources.append(try source(name, type: "Inline\(index)", .inline))
      if CompiledModel.isTypeName(name), name.count < 1000 {
        sources.append(try source("x", type: name, index.isMultiple(of: 2) ? .file : .inline))
      }
    }
    var paths: [String] = []
    for (index, source) in sources.enumerated() {
      let file = folder.appending(path: "\(index).swift")
      try source.write(to: file, atomically: false, encoding: .utf8)
      paths.append(file.path)
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors",
        "-parse-as-library", "-module-name", "Names", "-I", GeneratedNamesTests.modules ?? "",
      ] + paths
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
