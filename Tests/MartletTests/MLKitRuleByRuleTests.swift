import Foundation
import MartletTestSupport
import Testing

/// The table in the documentation names tests that exist.
@Suite struct MLKitRuleByRuleTests {
  static let table = (try? Fixtures.bytes(of: file)).map { String(decoding: $0, as: UTF8.self) }
  static let file = Fixtures.root.appending(
    path: "Sources/API/Martlet/Martlet.docc/MLKitRuleByRule.md")

  /// Every `Suite.test` in the last column of the tables.
  static func tests() -> [(suite: String, test: String)] {
    let rows = (table ?? "").split(separator: "\n").filter { $0.hasPrefix("| ") }
    return rows.flatMap { row -> [(suite: String, test: String)] in
      let column = row.dropLast(2).split(separator: "|").last ?? ""
      return column.matches(of: /`(\w+Tests)\.(\w+)`/).map { (String($0.1), String($0.2)) }
    }
  }

  @Test func everyRuleNamesATestThatExists() throws {
    let tests = MLKitRuleByRuleTests.tests()
    #expect(tests.count > 50)
    let folder = Fixtures.root.appending(path: "Tests")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    for (suite, test) in tests {
      let files = (paths ?? []).filter { $0.hasSuffix("/\(suite).swift") }
      let sources = try files.map {
        String(decoding: try Fixtures.bytes(of: folder.appending(path: $0)), as: UTF8.self)
      }
      #expect(sources.contains { $0.contains("func \(test)(") }, "\(suite).\(test)")
    }
  }

  @Test func everyRuleHasATest() {
    let rows = (MLKitRuleByRuleTests.table ?? "").split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| rule")
    }
    #expect(rows.count > 40)
    #expect(rows.allSatisfy { $0.contains("Tests.") })
  }
}
