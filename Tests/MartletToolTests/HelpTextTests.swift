import MartletCommandLine
import Testing

@testable import MartletTool

/// The house style of help: short phrases in the field's words.
@Suite struct HelpTextTests {
  /// Words of the former, indirect style.
  static let refused = [
    "alone", "beside", "but these", "comes", "goes", "gives", "how long", "how many", "how results",
    "in place of", "least", "lie", "may ", "of your own", "tells", "what ", "where ",
    "which ", "who ",
  ]

  static let commands = MartletTool.specification.commands
  static let options = commands.flatMap { command in
    command.allOptions.map { (command: command.name, option: $0) }
  }

  @Test func optionsAreShortPhrases() {
    #expect(HelpTextTests.options.count > 100)
    for (command, option) in HelpTextTests.options {
      let name = "\(command) \(option.name): \(option.help)"
      #expect(option.help.count <= 80, "\(name)")
      #expect(option.help.first?.isUppercase == true, "\(name)")
      #expect(!option.help.hasSuffix("."), "\(name)")
    }
  }

  @Test func summariesAreShortSentences() {
    for command in HelpTextTests.commands {
      #expect(command.summary.count <= 80, "\(command.name): \(command.summary)")
      #expect(command.summary.first?.isUppercase == true, "\(command.name): \(command.summary)")
    }
  }

  @Test(arguments: refused)
  func textsAvoid(_ words: String) {
    let tool = MartletTool.specification
    let texts =
      tool.commands.map(\.summary) + HelpTextTests.options.map(\.option.help)
      + tool.examples.map(\.effect) + [tool.summary]
    for text in texts {
      let found = " \(text.lowercased())".contains(" \(words)")
      #expect(!found, "\(text)")
    }
  }
}
