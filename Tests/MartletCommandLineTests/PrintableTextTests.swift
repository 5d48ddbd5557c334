import MartletCommandLine
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("fruit.jpg", "fruit.jpg"), ("Äpfel, 苹果 👍🏽", "Äpfel, 苹果 👍🏽"), ("", ""),
    ("\u{1B}[31mred", "\\u{1B}[31mred"), ("\u{1B}]0;x\u{7}", "\\u{1B}]0;x\\u{7}"),
    ("a\r\nfake: line", "a\\u{D}\\u{A}fake: line"), ("\u{7F}\u{9B}2J", "\\u{7F}\\u{9B}2J"),
    ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"),
    ("\u{2066}a\u{2069}\u{200F}", "\\u{2066}a\\u{2069}\\u{200F}"),
    ("a\u{2028}b", "a\\u{2028}b"),
  ])
  func escapesControlCharacters(_ text: String, _ expected: String) {
    #expect(text.printable == expected)
  }

  @Test func keepsLineBreaksOnRequest() {
    #expect("a\n\u{1B}b\r".printable(keepingLines: true) == "a\n\\u{1B}b\\u{D}")
  }

  @Test func tableCellsStayOnOneLine() {
    var table = TextTable([("name", .left), ("", .right)])
    table.add("a\nb\u{1B}", "1")
    #expect("\(table)" == "name\na\\u{A}b\\u{1B}  1")
  }
}
