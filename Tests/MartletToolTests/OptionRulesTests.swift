import MartletCommandLine
import MartletVision
import Testing

@testable import MartletTool

/// The tool refuses the options that C and WebAssembly refuse.
@Suite struct OptionRulesTests {
  @Test(arguments: [
    ("maxLabels", "--max-labels"), ("std", "--std"), ("classifier", "--model"),
  ])
  func optionsHaveTheirNamesInKebabCase(_ name: String, _ flag: String) {
    #expect(ClassifierOptions.flag(name) == flag)
  }

  @Test(arguments: [
    (["--labels", "a"], UsageError.needs(option: "--labels", others: ["--model", "--detector"])),
    (["--classify", "--max-labels", "2"], .needs(option: "--max-labels", others: ["--model"])),
    (
      ["--no-classify", "--threshold", "0.5"],
      .excludes(option: "--threshold", other: "--no-classify")
    ),
    (["--detector-head", "yolov8"], .needs(option: "--detector-head", others: ["--detector"])),
    (["--overlap", "0.5"], .needs(option: "--overlap", others: ["--detector"])),
    (["--all-boxes"], .needs(option: "--all-boxes", others: ["--multiple", "--max-objects"])),
    (
      ["--multiple", "--all-boxes", "--detector", "a"],
      .excludes(option: "--all-boxes", other: "--detector")
    ),
    (
      ["--fine-labels", "--model", "a"], .excludes(option: "--fine-labels", other: "--model")
    ),
    (
      ["--allow-labels", "a", "--no-classify"],
      .excludes(option: "--allow-labels", other: "--no-classify")
    ), (["--classify", "--no-classify"], .excludes(option: "--no-classify", other: "--classify")),
    (
      ["--model", "a", "--allow-labels", "a", "--deny-labels", "b"],
      .excludes(option: "--allow-labels", other: "--deny-labels")
    ),
  ])
  func detectRefusesOptionsWithoutEffect(_ words: [String], _ error: UsageError) {
    #expect(throws: error) { try Arguments(["a.jpg"] + words, for: DetectCommand.specification) }
  }

  /// A float detector without metadata needs them.
  @Test func detectorsTakeNormalizationAndLabels() throws {
    let words = ["--detector", "a", "--mean", "0", "--std", "255", "--labels", "b"]
    for specification in [DetectCommand.specification, TrackCommand.specification] {
      #expect(throws: Never.self) { try Arguments(["a.jpg"] + words, for: specification) }
    }
  }

  @Test func everyRuleNamesAnOptionOfTheTool() {
    let names = DetectCommand.specification.allOptions.map(\.name)
    for rule in OptionRule.classification + OptionRule.detectors {
      for name in [rule.option] + rule.needs + rule.excludes {
        #expect(names.contains(ClassifierOptions.flag(name)))
      }
    }
  }

  @Test func classifyNeedsNoOptionForItsThreshold() throws {
    let arguments = try Arguments(
      ["a.jpg", "--threshold", "0.5", "--deny-labels", "Food"], for: ClassifyCommand.specification)
    #expect(arguments["--threshold"] == "0.5" && arguments["--deny-labels"] == "Food")
  }
}
