import MartletTestSupport
import MartletVision
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Each case breaks one rule of TensorFlow Lite's task library. The classifier is rejected with
/// that rule's error.
@Suite struct AcceptanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: ClassifierFile
    let error: VisionError
    let code: TFLiteSupportCode

    init(
      _ name: String, _ file: ClassifierFile, _ error: VisionError, _ code: TFLiteSupportCode
    ) {
      testDescription = name
      self.file = file
      self.error = error
      self.code = code
    }
  }

  static let plain = ClassifierFile()
  static let names = (0..<12).map { "class \($0)" }
  static let labeled = ClassifierFile.labeled(names)
  static let floats = ClassifierFile.floats(mean: [127.5], deviation: [127.5])

  static func image(_ colors: UInt8) -> [[Int: FlatField]] {
    [[3: .table([0: .uint8(2), 1: .table([0: .uint8(colors)])])]]
  }

  static let cases = [
    Case(
      "two inputs", plain.with { $0.inputCount = 2 },
      .unsuitable(.inputCount(found: ["picture", "input 1"])),
      .inputCount),
    Case(
      "metadata of two inputs", plain.with { $0.inputMetadata = [[:], [:]] },
      .unsuitable(.inputMetadataCount(found: 2)), .metadataInconsistency),
    Case(
      "an input of three axes", plain.with { $0.inputShape = [2, 2, 3] },
      .unsuitable(.inputShape(tensor: "picture", found: Shape([2, 2, 3]))), .inputDimensions),
    Case(
      "a batch of two",
      plain.with {
        $0.inputShape = [2, 2, 2, 3]
        $0.outputShape = [1, 24]
      }, .unsuitable(.inputShape(tensor: "picture", found: Shape([2, 2, 2, 3]))), .inputDimensions),
    Case(
      "one channel",
      plain.with {
        $0.inputShape = [1, 2, 2, 1]
        $0.outputShape = [1, 4]
      }, .unsuitable(.inputShape(tensor: "picture", found: Shape([1, 2, 2, 1]))), .inputDimensions),
    Case(
      "no row",
      plain.with {
        $0.inputShape = [1, 0, 2, 3]
        $0.outputShape = [1, 0]
      }, .unsuitable(.inputShape(tensor: "picture", found: Shape([1, 0, 2, 3]))), .inputDimensions),
    Case(
      "an input of 16 bits", plain.with { $0.type = ClassifierFile.int16 },
      .unsuitable(.inputType(tensor: "picture", found: .int16)), .inputType),
    Case(
      "a gray image", plain.with { $0.inputMetadata = image(2) },
      .unsuitable(
        .inputContent(
          tensor: "picture", found: .image(colorSpace: .grayscale, width: nil, height: nil))),
      .metadataContentProperties),
    Case(
      "no image",
      plain.with { $0.inputMetadata = [[3: .table([0: .uint8(4), 1: .table([:])])]] },
      .unsuitable(
        .inputContent(tensor: "picture", found: .audio(sampleRate: 0, channelCount: 0))),
      .metadataContentProperties),
    Case(
      "floats without normalization", plain.with { $0.type = ClassifierFile.float32 },
      .unsuitable(.normalization(tensor: "picture")), .metadataMissingNormalization),
    Case(
      "more means than deviations",
      ClassifierFile.floats(mean: [1, 2, 3], deviation: [1]),
      .metadata(.normalizationCount(means: 3, standardDeviations: 1)), .metadataProcessUnits),
    Case(
      "two means", ClassifierFile.floats(mean: [1, 2], deviation: [1, 2]),
      .unsuitable(.normalizationCount(tensor: "picture", found: 2)), .metadataProcessUnits),
    Case(
      "a deviation of zero", ClassifierFile.floats(mean: [1], deviation: [0]),
      .metadata(.standardDeviation(index: 0)), .metadataProcessUnits),
    Case(
      "two normalizations",
      floats.with {
        let unit = ClassifierFile.normalization([1], [1])
        $0.inputMetadata = [[4: .tables([unit, unit])]]
      }, .metadata(.repeatedProcessUnit(first: 0, second: 1)), .metadataProcessUnits),
    Case(
      "scores along three axes", plain.with { $0.outputShape = [1, 1, 12] },
      .unsuitable(.outputShape(tensor: "scores", found: Shape([1, 1, 12]))), .outputDimensions),
    Case(
      "scores for two images", plain.with { $0.outputShape = [2, 6] },
      .unsuitable(.outputShape(tensor: "scores", found: Shape([2, 6]))), .outputDimensions),
    Case(
      "scores for places", plain.with { $0.outputShape = [1, 2, 1, 6] },
      .unsuitable(.outputShape(tensor: "scores", found: Shape([1, 2, 1, 6]))), .outputDimensions),
    Case(
      "scores of bytes and of floats", plain.with { $0.hasFloatsBeside = true },
      .unsuitable(.mixedOutputs(integers: "scores", floats: "floats")), .outputType),
    Case(
      "a second head with scores for places", plain.with { $0.secondHead = [1, 4, 3] },
      .unsuitable(.outputShape(tensor: "second", found: Shape([1, 4, 3]))), .outputDimensions),
    Case(
      "a second head with too few labels",
      labeled.with {
        $0.secondHead = [1, 12]
        $0.outputMetadata = [
          $0.outputMetadata?.first ?? [:],
          [6: .tables([[0: .string("few.txt"), 2: .uint8(2)]])],
        ]
        $0.files.append(("few.txt", Array("one\n".utf8)))
      }, .unsuitable(.labelCount(tensor: "second", found: 1, classes: 12)),
      .metadataInconsistency),
    Case(
      "an operator of its own", plain.with { $0.customOperator = "Mine" },
      .inference(.unsupportedOperator(node: 0, name: "Mine", version: 1)),
      .unsupportedCustomOperator),
    Case(
      "bytes without a scale", plain.with { $0.hasScale = false },
      .unsuitable(.outputQuantization(tensor: "scores")), .outputType),
    Case(
      "metadata of two outputs", plain.with { $0.outputMetadata = [[:], [:]] },
      .unsuitable(.outputMetadataCount(found: 2, outputs: 1)), .metadataInconsistency),
    Case(
      "eleven labels", ClassifierFile.labeled(Array(names.dropLast())),
      .unsuitable(.labelCount(tensor: "scores", found: 11, classes: 12)), .metadataInconsistency),
    Case(
      "eleven display names",
      ClassifierFile.labeled(names, english: Array(names.dropLast())),
      .metadata(.labelCount(found: 11, expected: 12)), .metadataLabelCount),
    Case(
      "no file of labels", labeled.with { $0.files = [("other.txt", [])] },
      .metadata(.missingFile(name: "labels.txt")), .associatedFileNotFound),
    Case(
      "compressed labels", labeled.with { $0.method = 8 },
      .metadata(.archive(.notStored(index: 0, method: 8))), .associatedFileZip),
    Case(
      "metadata of another kind", labeled.with { $0.metadataIdentifier = "M002" },
      .metadata(.flatBuffer(.identifier(found: 0x3230_304D, expected: 0x3130_304D))),
      .metadataSchemaVersion),
    Case(
      "calibration of two classes",
      labeled.with {
        $0.outputMetadata = [
          [
            4: .tables([ClassifierFile.unit(2, [1: .float(0.5)])]),
            6: .tables([[0: .string("c.txt"), 2: .uint8(4)]]),
          ]
        ]
        $0.files = [("c.txt", Array("1,1,0\n1,1,0\n".utf8))]
      }, .unsuitable(.calibrationCount(tensor: "scores", found: 2, classes: 12)),
      .metadataLabelCount),
  ]

  @Test(arguments: cases)
  func rejectsModelThatBreaksOneRule(_ item: Case) {
    #expect(throws: item.error) { try Classifier(modelBytes: item.file.bytes) }
    #expect(item.error.supportCode == item.code)
    #expect(item.error.code == .modelIncompatible)
    // The message states the found and the expected value.
    if case .unsuitable(let requirement) = item.error {
      #expect("\(requirement)".contains(", expected "))
    }
  }

  @Test func rejectsBytesThatAreNotAModel() throws {
    let error = try #require(throws: VisionError.self) { try Classifier(modelBytes: [1, 2, 3]) }
    #expect(error.supportCode == .invalidFlatBuffer)
  }

  @Test(arguments: [
    ("plain bytes", plain), ("signed bytes", plain.with { $0.type = ClassifierFile.int8 }),
    ("floats", floats), ("labels", labeled),
    ("scores along four axes", plain.with { $0.outputShape = [1, 1, 1, 12] }),
    ("an image in RGB", plain.with { $0.inputMetadata = image(1) }),
    ("three means", ClassifierFile.floats(mean: [1, 2, 3], deviation: [4, 5, 6])),
    ("display names", ClassifierFile.labeled(names, english: names)),
    ("two heads", plain.with { $0.secondHead = [1, 1, 1, 12] }),
  ])
  func acceptsModelThatBreaksNoRule(_ name: String, _ file: ClassifierFile) throws {
    #expect(throws: Never.self) { try Classifier(modelBytes: file.bytes) }
  }
}
