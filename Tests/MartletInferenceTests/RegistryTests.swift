import Foundation
import MartletTestSupport
import Testing

@testable import MartletInference
@testable import MartletModel

@Suite struct RegistryTests {
  private func text(of path: String) throws -> String {
    try String(contentsOf: Fixtures.root.appending(path: path), encoding: .utf8)
  }

  /// The operators in the first column of the table "Operators that are missing".
  private func listed() throws -> [String] {
    let article = try text(
      of: "Sources/Inference/MartletInference/MartletInference.docc/DifferencesFromLiteRT.md")
    let section = try #require(
      article.components(separatedBy: "\n## ").first {
        $0.hasPrefix("Operators that are missing")
      })
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      .flatMap { $0.split(separator: "|")[0].split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Each operator of the schema is implemented or documented as missing.
  @Test func documentationListsEveryMissingOperator() throws {
    let missing = BuiltinOperator.allCases.filter { !Registry.builtin.has(.builtin($0)) }
      .map { $0.description }
    let listed = try listed()
    #expect(Set(listed) == Set(missing))
    #expect(listed.count == missing.count)
  }

  @Test func readMeStatesTheOperatorCount() throws {
    let served = BuiltinOperator.allCases.filter { Registry.builtin.has(.builtin($0)) }
    #expect(try text(of: "README.md").contains("\(served.count) of the schema's operators"))
  }
}
