import Foundation
import MartletCodecs
import MartletTestSupport
import MartletVision
import Testing

/// A classifier with shape [1, 1, 1, 3] and shape signature [1, -1, -1, 3] in its file.
@Suite struct OpenInputSizeTests {
  static let folder = Fixtures.folder("Files")

  static func classifier() throws -> Classifier {
    let bytes = [UInt8](
      try Data(contentsOf: folder.appending(path: "classifier_dynamic_size.tflite")))
    return try Classifier(
      ModelFile(
        bytes, labels: ["striped", "flat"],
        normalization: PixelNormalization(mean: [0], deviation: [255])), lock: .none)
  }

  /// LiteRT 2.3.0 with the input resized to 1x64x64x3: striped 0.99983.
  @Test func runsAtTheSizeOfTheImage() throws {
    let bytes = [UInt8](
      try Data(contentsOf: OpenInputSizeTests.folder.appending(path: "stripes.png")))
    let image = try ImageFile(decoding: bytes).upright
    let classifier = try OpenInputSizeTests.classifier()
    let labels = try classifier.labels(in: image)
    #expect(labels.first?.text == "striped")
    #expect(abs((labels.first?.confidence ?? 0) - 0.99983) < 0.00002)
    // A run at another size does not change later results.
    _ = try classifier.labels(in: image, box: Box(x: 3, y: 5, width: 31, height: 17))
    #expect(try classifier.labels(in: image) == labels)
  }
}
