import MartletBase
import Testing

@testable import MartletModel

@Suite struct PythonLiteralTests {
  @Test(arguments: [
    (
      #"{'names': {0: 'cat'}, "a": [1, -2.5e3, (True, None)],}"#,
      #"{"names":{"0":"cat"},"a":[1,-2.5e3,[true,null]]}"#
    ),
    (#"  'it\'s\n'  "#, #""it's\n""#), ("()", "[]"), ("{}", "{}"), ("False", "false"),
  ])
  func literalsBecomeJSON(_ text: String, _ json: String) {
    #expect(PythonLiteral.parse(Array(text.utf8))?.description == json)
  }

  @Test(arguments: [
    "", "{", "{1}", "{'a' 1}", "[1 2]", "'a", "nan_", "{(1,): 2}", "1 2",
    String(repeating: "[", count: 99),
  ])
  func otherTextIsNoLiteral(_ text: String) {
    #expect(PythonLiteral.parse(Array(text.utf8)) == nil)
  }
}
