import Foundation
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

/// `--fine-labels` of `detect`, `track` and `classify`.
@Suite struct FineLabelOptionTests {
  private let scene = Fixtures.folder("Scenes").path + "/room.jpg"

  private var object: DetectedObject {
    DetectedObject(
      frame: Box(x: 1, y: 2, width: 3, height: 4), score: 0.5, category: .home,
      labels: [ObjectLabel(text: "Home good", index: 1, confidence: 0.75)],
      fineLabels: [
        ObjectLabel(text: "Chair", index: 100, confidence: 0.91),
        ObjectLabel(text: "Table", index: 490, confidence: 0.5),
      ])
  }

  @Test(arguments: [
    ["detect"], ["detect", "--json"], ["detect", "--format", "csv", "--threshold", "0.5"],
    ["classify"], ["classify", "--json"], ["classify", "--format", "csv"],
  ])
  func commandsAcceptTheOption(_ words: [String]) {
    #expect(MartletTool.run(words + [scene, "--fine-labels"]) == 0)
    #expect(MartletTool.run(words + [scene, "--fine-labels", "--model", "x.tflite"]) == 2)
  }

  /// The members of configurations: names by default, but not beside other networks or against the
  /// user's wish.
  @Test(arguments: [
    ([], "fine"), (["--fine-labels"], "fine"), (["--classify"], "coarse"),
    (["--no-classify"], "none"),
    (["--detector", "m"], "none"), (["--detector", "m", "--fine-labels"], "fine"),
    (["--model", "m"], "coarse"), (["--threshold", "0.5"], "fine"),
    (["--allow-labels", "Apple"], "fine"),
  ])
  func objectsHaveNamesByDefault(_ words: [String], _ expected: String) throws {
    for command in [DetectCommand.specification, TrackCommand.specification] {
      let options = try ObjectOptions(Arguments(["a"] + words, for: command))
      let labels = options.configuration.labels.map { $0.hasFineLabels ? "fine" : "coarse" }
      #expect(labels ?? "none" == expected, "\(command.name)")
    }
  }

  @Test(arguments: [
    ["--no-classify", "--classify"], ["--no-classify", "--fine-labels"],
    ["--no-classify", "--allow-labels", "Apple"], ["--no-classify", "--threshold", "0.5"],
    ["--detector", "m", "--threshold", "0.5"],
  ])
  func refusesLabelOptionsWithoutLabels(_ words: [String]) {
    #expect(throws: UsageError.self) {
      _ = try ObjectOptions(Arguments(["a"] + words, for: DetectCommand.specification))
    }
  }

  @Test func listsTheNames() {
    #expect(MartletTool.run(["classify", "--classes", "--fine-labels"]) == 0)
  }

  @Test func facesHaveNoFineLabels() {
    #expect(throws: UsageError.excludes(option: "--fine-labels", other: "--faces")) {
      _ = try Arguments(["a.y4m", "--faces", "--fine-labels"], for: TrackCommand.specification)
    }
  }

  @Test func tableAndCSVHaveColumnsForThem() {
    let named = NamedObject(object)
    #expect(NamedObject.columns.count == named.cells.count)
    #expect(named.cells == ["home", "Chair 0.91"])
    #expect(named.sentence == "at 1,2 3x4 Chair 0.91 (home)")
    var unsure = object
    unsure.fineLabels = [ObjectLabel(text: "Chair", index: 100, confidence: 0.4)]
    #expect(NamedObject(unsure).cells == ["home", "Home good 0.75"])
    #expect(NamedObject.csvFields.count == named.csvValues.count)
    #expect(named.csvValues == ["home", "Home good", "1", "0.75", "Chair", "100", "0.91"])
  }

  @Test func annotationShowsTheSureName() {
    var object = object
    #expect(NamedObject(object).annotation(at: 0).texts.first == "1 Chair 91%")
    object.fineLabels = [ObjectLabel(text: "Chair", index: 100, confidence: 0.4)]
    #expect(NamedObject(object).annotation(at: 0).texts.first == "1 Home good 75%")
  }

  /// Below the confidence at which names of other sources are right, only the category is shown.
  @Test func doubtfulNameIsNotShown() {
    func shown(_ confidence: Float) -> [String] {
      var object = object
      object.fineLabels = [ObjectLabel(text: "Chair", index: 100, confidence: confidence)]
      return NamedObject(object).cells + [object.className]
    }
    let least = FineLabeler.shownConfidence
    #expect(shown(least) == ["home", "Chair 0.60", "Chair"])
    #expect(shown(least.nextDown) == ["home", "Home good 0.75", "Home good"])
  }

  /// Names of ImageNet have commas.
  @Test func labelsWithCommasAreQuoted() {
    var object = object
    object.labels = [
      ObjectLabel(text: "candle, taper", index: 0, confidence: 0.5),
      ObjectLabel(text: "cup", index: 1, confidence: 0.25),
    ]
    #expect(object.cells[1] == #""candle, taper" 0.50, cup 0.25"#)
  }

  @Test func lineHasThemAfterTheLabels() {
    let line = NamedObject.line(
      of: "a", frame: nil, ImageSize(width: 9, height: 9), [NamedObject(object)])
    #expect(
      "\(line)".hasSuffix(
        """
        "labels":[{"text":"Home good","index":1,"confidence":0.75}],\
        "fineLabels":[{"text":"Chair","index":100,"confidence":0.91},\
        {"text":"Table","index":490,"confidence":0.5}]}]}
        """))
  }
}
