import Foundation
import MartletTestSupport
import MartletVision
import Testing

/// Scores that are NaN or infinite are errors that name the output.
@Suite struct FiniteScoreTests {
  /// A detector whose first score is infinite.
  @Test func infiniteDetectorScoreIsAnError() throws {
    let path = Fixtures.folder("Files").appending(path: "det_inf.tflite")
    let finder = try ObjectFinder(
      .init(limit: 5, detector: ModelFile([UInt8](try Data(contentsOf: path)))), lock: .none)
    let image = try RGBImage(
      width: 8, height: 8, pixels: [UInt8](repeating: 9, count: 192))
    let error = #expect(throws: VisionError.self) { _ = try finder.objects(in: image) }
    #expect(error?.description.contains("output \"t6\" is inf, expected a finite number") == true)
  }

  /// A deviation of 1e-37 makes pixels infinite; their mean is NaN or infinite.
  @Test func classifierScoreThatIsNotFiniteIsAnError() throws {
    let path = Fixtures.folder("Files").appending(path: "classifier_dynamic_size.tflite")
    let classifier = try Classifier(
      ModelFile(
        [UInt8](try Data(contentsOf: path)), labels: nil,
        normalization: PixelNormalization(mean: [0], deviation: [1e-37])), lock: .none)
    let image = try RGBImage(
      width: 8, height: 8, pixels: (0..<192).map { UInt8($0 % 2 * 255) })
    let error = #expect(throws: VisionError.self) { _ = try classifier.labels(in: image) }
    #expect(error?.description.contains("expected a finite number") == true)
  }
}
