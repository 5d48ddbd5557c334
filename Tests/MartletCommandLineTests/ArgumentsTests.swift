import MartletCommandLine
import Testing

@Suite struct ArgumentsTests {
  static let specification = CommandSpecification(
    name: "test", summary: "Tests.", operands: "FILE...", operandCount: 1...2,
    options: [
      OptionSpecification("--flag", help: "a flag"),
      OptionSpecification("--number", "N", help: "a number"),
      OptionSpecification("--list", "X", repeats: true, help: "many"),
      OptionSpecification("--deep", needs: ["--flag", "--list"], help: "only beside others"),
      OptionSpecification("--flat", excludes: ["--flag"], help: "not beside another"),
      OptionSpecification("--output", "FILE", help: "a file"),
      OptionSpecification("--min-score", "X", help: "a limit"),
    ], remarks: ["FILE: any file"])

  func parse(_ words: String...) throws(UsageError) -> Arguments {
    try Arguments(words, for: ArgumentsTests.specification)
  }

  @Test func acceptsOptionsInAnyPosition() throws {
    let arguments = try parse("--number", "3", "a", "--flag", "b")
    #expect(arguments.operands == ["a", "b"])
    #expect(arguments.has("--flag"))
    #expect(try arguments.integer("--number", in: 0...9) == 3)
  }

  @Test func acceptsValuesAfterAnEqualsSign() throws {
    #expect(try parse("a", "--number=-4").integer("--number", in: -9...9) == -4)
    #expect(try parse("a", "--list=x=y", "--list", "z").all("--list") == ["x=y", "z"])
  }

  @Test func lettersStandForNames() throws {
    let arguments = try parse("a", "-o", "x", "-j", "2")
    #expect(arguments["--output"] == "x" && arguments["--threads"] == "2")
    #expect(try parse("-h").has("--help") && parse("--version").has("--version"))
    #expect(try parse("a", "-o=x")["--output"] == "x")
  }

  @Test func requiredOptionsAreNamed() throws {
    #expect(try parse("a", "--output", "x").required("--output") == "x")
    #expect(throws: UsageError.needs(option: "test", others: ["--output"])) {
      try parse("a").required("--output")
    }
  }

  @Test func treatsDashAsOperandAndDoubleDashAsEnd() throws {
    #expect(try parse("-", "--", "--flag").operands == ["-", "--flag"])
  }

  @Test(arguments: [
    (["a", "--what"], UsageError.unknownOption("--what", nearest: nil)),
    (["a", "-f"], .unknownOption("-f", nearest: nil)),
    (["a", "-r"], .unknownOption("-r", nearest: nil)),
    (["a", "--conf", "0.5"], .unknownOption("--conf", nearest: "--min-score")),
    (["a", "-o"], .missingValue(option: "--output")),
    (["a", "--number"], .missingValue(option: "--number")),
    (["a", "--flag=1"], .unexpectedValue(option: "--flag")),
    (["a", "--number", "1", "--number", "2"], .repeated(option: "--number")),
    (["a", "--numbr", "1"], .unknownOption("--numbr", nearest: "--number")),
    ([], .operandCount(found: 0, expected: 1...2, name: "FILE...")),
    (["a", "b", "c"], .operandCount(found: 3, expected: 1...2, name: "FILE...")),
    (["a", "--deep"], .needs(option: "--deep", others: ["--flag", "--list"])),
    (["a", "--flag", "--flat"], .excludes(option: "--flat", other: "--flag")),
  ])
  func reportsUsageErrors(_ words: [String], _ expected: UsageError) {
    #expect(throws: expected) {
      try Arguments(words, for: ArgumentsTests.specification)
    }
  }

  @Test(arguments: ["x", "10", "-1", "1.5", ""])
  func refusesNumbersOutOfRange(_ text: String) {
    #expect(throws: UsageError.self) {
      try parse("a", "--number=\(text)").integer("--number", in: 0...9)
    }
  }

  @Test func helpListsEveryOptionAndNeedsNoOperand() throws {
    #expect(try parse("--help").has("--help"))
    let help = ArgumentsTests.specification.help(invocation: "tool test")
    #expect(help.contains("usage: tool test FILE... [options]"))
    for word in [
      "  --flag", "--number N", "--list X", "-o, --output FILE", "-j, --threads N", "-h, --help",
      "--version",
    ] {
      #expect(help.contains(word))
    }
    #expect(help.hasSuffix("\n\nFILE: any file"))
  }

  @Test func commandsWithoutWorkHaveNoThreads() {
    let command = CommandSpecification(
      name: "print", summary: "Prints.", operands: "", operandCount: 0...0, isComputing: false,
      options: [])
    #expect(command.allOptions.map(\.name) == ["--help", "--version"])
    #expect(throws: UsageError.unknownOption("--threads", nearest: nil)) {
      try Arguments(["--threads", "2"], for: command)
    }
  }

  @Test(arguments: [
    (
      UsageError.needs(option: "--a", others: ["--b", "--c"]),
      "--a requires --b or --c"
    ),
    (.unknownCommand("detct", nearest: "detect"), "unknown command detct; did you mean detect?"),
    (.operandCount(found: 0, expected: 1...1, name: "A.x"), "expected 1 A, found none"),
    (
      .operandCount(found: 0, expected: 1...Int.max, name: "B..."),
      "expected at least 1 B, found none"
    ),
    (.operandCount(found: 3, expected: 1...2, name: "C"), "expected 1 to 2 C, found 3"),
    (.operandCount(found: 1, expected: 0...0, name: ""), "expected no operands, found 1"),
  ])
  func errorsAreSentences(_ error: UsageError, _ text: String) {
    #expect("\(error)" == text)
  }

  @Test func acceptsAnyOfTheRequiredOptions() throws {
    #expect(try parse("a", "--deep", "--list", "1").has("--deep"))
    #expect(try parse("--deep", "--help").has("--help"))
  }
}
