import MartletCommandLine
import Testing

@Suite struct ArgumentsTests {
  static let specification = CommandSpecification(
    name: "test", summary: "Tests.", operands: "FILE...", operandCount: 1...2,
    options: [
      OptionSpecification("--flag", help: "a flag"),
      OptionSpecification("--number", "N", help: "a number"),
      OptionSpecification("--list", "X", repeats: true, help: "many"),
    ])

  func parse(_ words: String...) throws(UsageError) -> Arguments {
    try Arguments(words, for: ArgumentsTests.specification)
  }

  @Test func optionsMayStandAnywhere() throws {
    let arguments = try parse("--number", "3", "a", "--flag", "b")
    #expect(arguments.operands == ["a", "b"])
    #expect(arguments.has("--flag"))
    #expect(try arguments.integer("--number", in: 0...9) == 3)
  }

  @Test func valuesMayFollowAnEqualsSign() throws {
    #expect(try parse("a", "--number=-4").integer("--number", in: -9...9) == -4)
    #expect(try parse("a", "--list=x=y", "--list", "z").all("--list") == ["x=y", "z"])
  }

  @Test func aDashIsAnOperandAndTwoEndTheOptions() throws {
    #expect(try parse("-", "--", "--flag").operands == ["-", "--flag"])
  }

  @Test(arguments: [
    (["a", "--what"], UsageError.unknownOption("--what")),
    (["a", "-f"], .unknownOption("-f")),
    (["a", "--number"], .missingValue(option: "--number")),
    (["a", "--flag=1"], .unexpectedValue(option: "--flag")),
    (["a", "--number", "1", "--number", "2"], .repeated(option: "--number")),
    ([], .operandCount(found: 0, expected: 1...2)),
    (["a", "b", "c"], .operandCount(found: 3, expected: 1...2)),
  ])
  func wrongUseIsNamed(_ words: [String], _ expected: UsageError) {
    #expect(throws: expected) {
      try Arguments(words, for: ArgumentsTests.specification)
    }
  }

  @Test(arguments: ["x", "10", "-1", "1.5", ""])
  func numbersOutOfRangeAreRefused(_ text: String) {
    #expect(throws: UsageError.self) {
      try parse("a", "--number=\(text)").integer("--number", in: 0...9)
    }
  }

  @Test func helpListsEveryOptionAndNeedsNoOperand() throws {
    #expect(try parse("--help").has("--help"))
    let help = ArgumentsTests.specification.help(invocation: "tool test")
    #expect(help.contains("usage: tool test FILE... [options]"))
    for word in ["--flag", "--number N", "--list X", "--threads N", "--help"] {
      #expect(help.contains(word))
    }
  }
}
