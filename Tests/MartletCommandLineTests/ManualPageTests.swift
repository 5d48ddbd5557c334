import MartletCommandLine
import Testing

@Suite struct ManualPageTests {
  @Test func listsEveryCommandAndOption() {
    let page = CompletionTests.tool.manualPage
    #expect(page.hasPrefix(".TH MY-TOOL 1"))
    for line in [
      ".SS my\\-tool find FILE [options]", "Finds what's there.", ".B \\-\\-fast",
      ".B \\-\\-kind big|small", "where: a file", ".SH EXAMPLES",
      ".B my\\-tool find x", "Finds x.", ".SH EXIT STATUS",
    ] {
      #expect(page.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
  }

  @Test func helpEndsWithExamples() {
    #expect(CompletionTests.tool.help.hasSuffix("\n\nexamples\n  my-tool find x\n      Finds x."))
  }

  @Test func linesBeginWithKnownRequestsOnly() {
    let requests = [".TH", ".SH", ".SS", ".TP", ".B", ".I"]
    for line in CompletionTests.tool.manualPage.split(separator: "\n") where line.hasPrefix(".") {
      #expect(requests.contains { line.hasPrefix($0 + " ") || line == $0 }, "\(line)")
    }
  }
}
