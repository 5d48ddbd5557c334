import MartletCommandLine
import Testing

@Suite struct CSVTests {
  @Test(arguments: [
    (["a", "b"], "a,b"), ([""], ""), (["a b", "", "c"], "a b,,c"), (["a,b"], "\"a,b\""),
    (["say \"x\""], "\"say \"\"x\"\"\""), (["two\nlines", "r\r\n"], "\"two\nlines\",\"r\r\n\""),
    (["\""], "\"\"\"\""),
  ])
  func quotesFieldsIfNecessary(_ fields: [String], _ line: String) {
    #expect(CSV.line(fields) == line)
  }
}
