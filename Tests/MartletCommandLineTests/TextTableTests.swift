import MartletCommandLine
import Testing

@Suite struct TextTableTests {
  @Test func alignsColumns() {
    var table = TextTable([("name", .left), ("size", .right), ("", .left)])
    table.add("a", "1", "x")
    table.add("long", "1000")
    #expect("\(table)" == "name  size\na        1  x\nlong  1000")
  }
}
