import MartletCommandLine
import Testing

@Suite struct TextTableTests {
  @Test func alignsColumns() {
    var table = TextTable([("name", .left), ("size", .right), ("", .left)])
    table.add("a", "1", "x")
    table.add("long", "1000")
    #expect("\(table)" == "name  size\na        1  x\nlong  1000")
  }

  /// Columns are as wide as the rows so far need; the first one as its rows will.
  @Test func linesAreTakenAsRowsCome() {
    var table = TextTable([("name", .left), ("size", .right)], leastWidth: 6)
    table.add("a", "1")
    #expect(table.takeLines() == ["name    size", "a          1"])
    #expect(table.takeLines().isEmpty)
    table.add("longer", "10000")
    #expect(table.takeLines() == ["longer  10000"])
    table.add("b", "2")
    #expect(table.takeLines() == ["b           2"])
  }
}
