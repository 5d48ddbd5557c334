import Foundation
import MartletBase
import MartletModel
import MartletTestSupport
import MartletWeights
import Testing

@testable import Martlet
@testable import MartletMLKit
@testable import MartletVision

@Suite struct FineLabelerTests {
  private typealias Golden = ObjectDetectorTests.Golden

  /// The features of a part of an image, and the network that computes them.
  private static func features(
    _ labeler: FineLabeler, _ image: RGBImage, _ box: Box
  ) throws -> [UInt8] {
    let model = try ImageModel(
      bytes: FileBytes(ShippedModel.classifier.bytes), additionalOutput: labeler.features.name,
      options: .init(), lock: .none)
    return try model.run(on: image, in: box, reading: model.outputs.count) {
      $0.withUnsafeBytes { unsafe [UInt8]($0) }
    }
  }

  @Test func inputIsTheClassifiersTensor() throws {
    let features = try FineLabeler().features
    let graph = try Model(bytes: ShippedModel.classifier.bytes).subgraphs[0]
    let tensor = try #require(graph.tensors.first { $0.name == features.name })
    #expect(tensor.type == features.type && tensor.shape == features.shape)
    #expect(tensor.quantization == features.quantization)
  }

  /// The first two columns of the list: names, then the hypernyms that are none.
  @Test func namesAreThoseOfTheList() throws {
    let file = Fixtures.root.appending(path: "Weights/Training/data/fine-labels.csv")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map { String($0) } }
    let labeler = try FineLabeler()
    let (names, rest) = (labeler.names.prefix(rows.count), labeler.names.dropFirst(rows.count))
    #expect(names == rows.map { $0[0] }[...])
    #expect(Set(names).union(rest) == Set(names).union(rows.map { $0[1] }.filter { !$0.isEmpty }))
    #expect(Set(labeler.names).count == labeler.names.count)
    for row in rows {
      let label = ObjectLabel(
        text: row[0], index: names.firstIndex(of: row[0]) ?? -1, confidence: 1)
      #expect(Set(labeler.kinds([label])) == Set(row.prefix(2)).subtracting([""]))
    }
  }

  @Test(arguments: ObjectDetectorTests.scenes, KernelSet.allCases)
  func labelsMatchTheReference(_ golden: ObjectDetectorTests.Golden, _ kernels: KernelSet) throws {
    let options = Interpreter.Options(kernels: kernels)
    let labeler = try FineLabeler(options: options)
    let classifier = try Classifier(fineLabeler: labeler, options: options)
    let image = try ObjectDetectorTests.image(golden.image)
    for crop in golden.crops {
      let box = Box(x: crop.box[0], y: crop.box[1], width: crop.box[2], height: crop.box[3])
      let labels = try #require(try classifier.classification(in: image, box: box).fineLabels)
      #expect(
        labels.map { Golden.FineLabel(text: $0.text, confidence: $0.confidence) }
          == crop.fineLabels)
      #expect(labels.allSatisfy { labeler.names[$0.index] == $0.text })
      let probabilities = try labeler.probabilities(Self.features(labeler, image, box))
      #expect(CRC32.checksum(probabilities.map { UInt8($0 * 256) }) == crop.fineChecksum)
    }
  }

  @Test func otherLabelsDoNotChange() throws {
    let (plain, fine) = (try Classifier(), try Classifier(fineLabeler: FineLabeler()))
    for scene in ObjectDetectorTests.scenes {
      let image = try ObjectDetectorTests.image(scene.image)
      for box in [nil, Box(x: 20, y: 30, width: 200, height: 150)] {
        let expected = try plain.classification(in: image, box: box)
        let found = try fine.classification(in: image, box: box)
        #expect(found.labels == expected.labels && found.category == expected.category)
        #expect(expected.fineLabels == nil && found.fineLabels != nil)
      }
    }
  }

  @Test func wholeImageAveragesTwoRuns() throws {
    let labeler = try FineLabeler()
    let image = try ObjectDetectorTests.image("room.jpg")
    let (width, height) = (Float(image.width), Float(image.height))
    let border: Float = (1 - 0.8) / 2
    let boxes = [
      Box(x: 0, y: 0, width: width, height: height),
      Box(x: border * width, y: border * height, width: 0.8 * width, height: 0.8 * height),
    ]
    let runs = try boxes.map { try labeler.probabilities(Self.features(labeler, image, $0)) }
    let expected = labeler.labels(zip(runs[0], runs[1]).map { ($0 + $1) / 2 })
    let found = try Classifier(fineLabeler: labeler).classification(in: image).fineLabels
    #expect(!expected.isEmpty && found == expected)
  }

  @Test func labelsAreFewSureAndSorted() throws {
    let labeler = try FineLabeler()
    var probabilities = [Float](repeating: 0.29, count: labeler.names.count)
    #expect(labeler.labels(probabilities).isEmpty)
    for (index, probability) in [(9, 0.5), (4, 0.3), (7, 0.9), (3, 0.5)] as [(Int, Float)] {
      probabilities[index] = probability
    }
    #expect(labeler.labels(probabilities).map(\.index) == [7, 3, 9, 4])
    for index in 100..<110 { probabilities[index] = 0.4 }
    #expect(labeler.labels(probabilities).map(\.index) == [7, 3, 9, 100, 101])
  }

  private static func label(_ text: String, of labeler: FineLabeler) throws -> ObjectLabel {
    ObjectLabel(
      text: text, index: try #require(labeler.names.firstIndex(of: text)), confidence: 0.5)
  }

  @Test(
    arguments: [
      // No name is sure, but a hypernym is, which may be a name itself.
      (["Apple": 0.5, "Pear": 0.25], ["Fruit 0.75", "Apple 0.5"]),
      (["Duck": 0.5, "Bird": 0.4], ["Bird 0.9", "Duck 0.5"]),
      (["Apple": 0.25, "Pear": 0.25, "Peach": 0.25], ["Fruit 0.75"]),
      // A name is sure; the hypernym is not; another one is almost as probable.
      (["Apple": 0.75, "Pear": 0.25], ["Apple 0.75"]), (["Apple": 0.5], ["Apple 0.5"]),
      (["Apple": 0.5, "Pear": 0.25, "Dog": 0.5], ["Apple 0.5", "Dog 0.5"]),
      // These names have no hypernym.
      (["Maze": 0.5, "Swing": 0.5], ["Maze 0.5", "Swing 0.5"]),
    ] as [([String: Float], [String])])
  func sureHypernymComesBeforeUnsureNames(
    _ probabilities: [String: Float], _ expected: [String]
  ) throws {
    let labeler = try FineLabeler()
    let labels = labeler.labels(labeler.names.map { probabilities[$0] ?? 0 })
    #expect(labels.map { "\($0.text) \($0.confidence)" } == expected)
    #expect(labels.allSatisfy { labeler.names[$0.index] == $0.text })
  }

  @Test func hypernymIsOneOfFiveLabels() throws {
    let labeler = try FineLabeler()
    let fruits = ["Apple", "Banana", "Lemon", "Orange", "Peach", "Pear"]
    let labels = labeler.labels(labeler.names.map { fruits.contains($0) ? 0.5 : 0 })
    #expect(labels.map(\.text) == ["Fruit", "Apple", "Banana", "Lemon", "Orange"])
    #expect(labels[0].confidence == 1)
  }

  @Test(
    arguments: [
      (["Apple", "Dog"], ["Apple", "Fruit"]), (["Fruit", "Apple"], ["Apple", "Fruit"]),
      (["Bird"], ["Bird"]), (["Bird", "Duck"], ["Bird", "Duck"]), (["Fruit"], ["Fruit"]),
      (["Maze", "Swing"], ["Maze"]), ([], []),
    ] as [([String], Set<String>)])
  func kindsAreTheBestNameAndItsHypernym(_ labels: [String], _ kinds: Set<String>) throws {
    let labeler = try FineLabeler()
    #expect(Set(labeler.kinds(try labels.map { try Self.label($0, of: labeler) })) == kinds)
  }

  @Test(
    arguments: [
      (0.91, "Food", "Dog"), (0.6, "Food", "Dog"), (0.59, "Food", "Food"), (0.59, nil, nil),
      (0.91, nil, "Dog"),
    ] as [(Float, String?, String?)])
  func sureNameIsShown(_ confidence: Float, _ label: String?, _ shown: String?) {
    let labels = label.map { [ObjectLabel(text: $0, index: 2, confidence: 0.99)] } ?? []
    let names = [ObjectLabel(text: "Dog", index: 1, confidence: confidence)]
    #expect(ObjectLabel.shown(labels, names)?.text == shown)
    #expect(ObjectLabel.shown(labels, nil)?.text == label)
    #expect(ObjectLabel.shown(labels, [])?.text == label)
  }

  @Test func streamKeepsNamesOfAnObject() throws {
    let image = try ObjectDetectorTests.image("room.jpg")
    let classifier = try Classifier(fineLabeler: FineLabeler())
    let stream = try ObjectStream(
      classifier: classifier)
    let frames = try (0..<4).map { _ in try #require(stream.objects(in: image).first) }
    #expect(frames[0].fineLabels == nil)
    let expected = try classifier.classification(in: image, box: frames[1].frame)
    #expect(expected.fineLabels?.isEmpty == false)
    for frame in frames.dropFirst() {
      #expect(frame.fineLabels == expected.fineLabels && frame.labels == expected.labels)
    }
  }

  @Test func detectorReturnsThemIfTheOptionIsSet() throws {
    let image = try ObjectDetectorTests.scene("fruit.jpg")
    let plain = try ObjectDetectorTests.detector().results(in: image)
    let fine = try ObjectDetectorTests.detector { $0.shouldEnableFineLabels = true }
      .results(in: image)
    #expect(plain.allSatisfy { $0.fineLabels == nil })
    #expect(fine.contains { $0.fineLabels?.isEmpty == false })
    #expect(fine.map(\.labels) == plain.map(\.labels))
    let other = try ObjectDetector(
      .init(limit: 5, minimumScore: 0.03, labels: .coarse(fineLabels: true))
    ).results(in: image)
    #expect(other == fine)
    let none = try ObjectDetectorTests.detector {
      $0.shouldEnableClassification = false
      $0.shouldEnableFineLabels = true
    }.results(in: image)
    #expect(none.allSatisfy { $0.fineLabels == nil && $0.category == nil })
  }
}
