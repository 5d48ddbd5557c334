import Foundation
import MartletTestSupport
import Testing

@testable import Martlet

/// Real classifiers on real images, compared with LiteRT's reference kernels on the same pixels.
@Suite(.enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"))
struct ClassifierGoldenTests {
  private struct Manifest: Decodable {
    struct Entry: Decodable {
      let file: String
      let cases: [Case]?
    }
    struct Case: Decodable {
      let id: String
      let inputs: [Input]
      let top5: [Score]?
    }
    struct Input: Decodable {
      struct Source: Decodable {
        let kind: String?
        let file: String?
      }
      let shape: [Int]?
      let source: Source?
    }
    struct Score: Decodable {
      let index: Int
      let value: Float
      let label: String?
    }
    let models: [Entry]
  }

  @Test(arguments: [
    "mlkit__bird_classifier", "mlkit__object_labeler", "mlkit__model",
    "support__mobilenet_v1_0.25_224_1_metadata_1", "support__mobilenet_v1_0.25_224_quant",
    "coral__tf2_mobilenet_v2_1.0_224_ptq",
  ])
  func labelsMatchLiteRT(_ name: String) throws {
    let folder = SharedMaterial.url("conformance/golden")
    let model = SharedMaterial.url("conformance/models/\(name).tflite")
    let manifest = try JSONDecoder().decode(
      Manifest.self, from: Data(contentsOf: folder.appending(path: "manifest.json")))
    let entry = try #require(manifest.models.first { $0.file == "\(name).tflite" })
    let classifier = try Classifier(
      modelBytes: try Fixtures.bytes(of: model), threshold: 0, maximumLabelCount: 5)
    var count = 0
    for item in entry.cases ?? [] {
      guard let input = item.inputs.first, input.source?.kind == "image_u8",
        let file = input.source?.file, let shape = input.shape, let expected = item.top5
      else { continue }
      let pixels = try Fixtures.bytes(of: folder.appending(path: file))
      let labels = try classifier.labels(
        in: RGBImage(width: shape[2], height: shape[1], pixels: pixels))
      // LiteRT may order equal scores differently; only scores above 0.05 are compared.
      try #require(labels.count >= expected.count)
      for (label, score) in zip(labels, expected) where score.value > 0.05 {
        #expect(label.index == score.index, "\(item.id)")
        #expect(abs(label.confidence - score.value) < 1e-4, "\(item.id)")
      }
      count += 1
    }
    #expect(count > 0)
  }

  /// The model's labels exist in two languages; the English ones are used, as in Google's runtime.
  @Test func labelsHaveTheEnglishName() throws {
    let model = SharedMaterial.url("conformance/models/mlkit__bird_classifier.tflite")
    let input = SharedMaterial.url("conformance/golden/inputs/bird_224x224.u8")
    let classifier = try Classifier(modelBytes: try Fixtures.bytes(of: model))
    let labels = try classifier.labels(
      in: RGBImage(width: 224, height: 224, pixels: try Fixtures.bytes(of: input)))
    #expect(classifier.threshold == 0.3)
    #expect(labels.map(\.text) == ["Poecile atricapillus (Black-capped Chickadee)"])
  }
}
