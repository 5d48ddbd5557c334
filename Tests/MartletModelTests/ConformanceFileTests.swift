import Foundation
import MartletTestSupport
import Testing

@testable import MartletModel

/// Real and damaged files beside the repository, compared with LiteRT 2.3.0.
@Suite(.enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"))
struct ConformanceFileTests {
  private struct Index: Decodable {
    struct Entry: Decodable {
      let file: String
      let nSubgraphs: Int?
      let nOps: Int?
      let nTensors: Int?
      let associatedFiles: [String]?
      let hasTfliteMetadata: Bool?
      let litertRef: Result
    }
    struct Result: Decodable { let ok: Bool }
    let models: [Entry]
  }

  /// Files that LiteRT and this reader both refuse.
  static let refused: [String: ModelError] = [
    "litert__0_subgraphs.tflite": .missing(.subgraphs, .model),
    "litert__transpose.tflite": .version(found: 2, expected: 3),
    "litert__lstm_quantized2.tflite": .extent(.tensor(23, subgraph: 0), axis: 0, found: -1),
  ]

  @Test func loadsModelsThatLiteRTRuns() throws {
    let folder = SharedMaterial.url("conformance/models")
    let list = SharedMaterial.url("conformance/index.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let index = try decoder.decode(Index.self, from: Data(contentsOf: list))
    #expect(index.models.filter(\.litertRef.ok).count > 200)
    for entry in index.models {
      let bytes = try Fixtures.bytes(of: folder.appendingPathComponent(entry.file))
      if let error = ConformanceFileTests.refused[entry.file] {
        #expect(throws: error, "\(entry.file)") { _ = try Model(bytes: bytes) }
        continue
      }
      let model = try Model(bytes: bytes)
      #expect(model.subgraphs.count == entry.nSubgraphs, "\(entry.file)")
      // The index counts over all subgraphs.
      #expect(model.subgraphs.map(\.operators.count).reduce(0, +) == entry.nOps, "\(entry.file)")
      #expect(model.subgraphs.map(\.tensors.count).reduce(0, +) == entry.nTensors, "\(entry.file)")
      let metadata = try model.readMetadata()
      #expect((metadata != nil) == entry.hasTfliteMetadata, "\(entry.file)")
      let archive = try AppendedArchive(bytes: FileBytes(bytes))
      #expect(archive.entries.map(\.name) == entry.associatedFiles, "\(entry.file)")
    }
  }

  @Test func readsTheLabelsOfRealModels() throws {
    let folder = SharedMaterial.url("conformance/models")
    func metadata(_ name: String) throws -> ModelMetadata {
      let bytes = try Fixtures.bytes(of: folder.appendingPathComponent(name))
      return try #require(try Model(bytes: bytes).readMetadata())
    }
    // As TensorFlow Lite Support reads them.
    let birds = try metadata("mlkit__bird_classifier.tflite")
    let output = birds.subgraphs[0].outputs[0]
    let labels = try #require(try birds.labels(of: output, locale: "en"))
    #expect(birds.name == "aiy/classifier/natural_world_birds_V1")
    #expect(output.scoreThreshold == 0.3)
    #expect(labels.names.count == 965)
    #expect(labels.names[567] == "Ardea cinerea")
    #expect(labels.displayNames?[567] == "Ardea cinerea (Grey Heron)")
    #expect(labels.names.last == "__background__")
    #expect(labels.displayNames?.last == "N/A")

    let labeler = try metadata("mlkit__object_labeler.tflite")
    #expect(labeler.subgraphs[0].outputs[0].scoreThreshold == 0.35)
    #expect(
      try labeler.subgraphs[0].inputs[0].normalization
        == Normalization(means: [127.5], standardDeviations: [127.5]))
    #expect(try labeler.labels(of: labeler.subgraphs[0].outputs[0])?.names.count == 631)

    let detector = try metadata("support__coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")
    let values = try detector.subgraphs[0].outputs.compactMap {
      try detector.labels(of: $0, type: .tensorValueLabels)
    }
    #expect(values.map(\.names.count) == [90])
    #expect(values.first?.names.first == "person")
  }

  @Test func loadsEveryOperatorCase() throws {
    let files = SharedMaterial.files(in: "conformance/ops", ending: ".tflite")
    #expect(files.count > 1000)
    for file in files {
      let bytes = try Fixtures.bytes(of: file)
      #expect(throws: Never.self, "\(file.lastPathComponent)") { _ = try Model(bytes: bytes) }
    }
  }

  @Test func readsTheOptionsOfDetectionPostProcessing() throws {
    let files = SharedMaterial.files(
      in: "conformance/ops/tflite_detection_postprocess", ending: ".tflite")
    #expect(!files.isEmpty)
    for file in files {
      let model = try Model(bytes: try Fixtures.bytes(of: file))
      let operation = try #require(
        model.subgraphs[0].operators.first { $0.code == .custom("TFLite_Detection_PostProcess") })
      let options = try FlexBuffer(model.bytes, in: operation.customOptions)
      for key in ["max_detections", "num_classes", "max_classes_per_detection"] {
        #expect((options[key]?.intValue ?? 0) > 0, "\(key) of \(file.lastPathComponent)")
      }
      for key in ["x_scale", "y_scale", "h_scale", "w_scale", "nms_iou_threshold"] {
        #expect((options[key]?.floatValue ?? 0) > 0, "\(key) of \(file.lastPathComponent)")
      }
    }
  }

  /// Damaged files that LiteRT refuses when it prepares operators. They load here, and the
  /// interpreter refuses them.
  static let refusedByOperators: Set<String> = [
    "bias_is_null_buffer", "channels_mismatch", "conv_dilation_zero", "conv_options_missing",
    "conv_options_of_other_type", "conv_stride_negative", "conv_stride_zero",
    "input_big_allocation", "input_rank_2", "input_without_quantisation", "no_inputs", "no_outputs",
    "op_required_input_is_minus1", "too_few_inputs", "too_many_inputs", "two_ops_write_one_tensor",
    "unresolved_custom_op", "version_too_new", "weights_shape_smaller_than_buffer",
    "weights_zero_dim", "while_body_is_main_recursion", "while_cond_is_self",
  ]

  @Test func refusesBrokenFilesThatLiteRTRefuses() throws {
    struct Manifest: Decodable {
      struct Entry: Decodable {
        let file: String
        let litert: String
      }
      let files: [Entry]
    }
    let folder = SharedMaterial.url("conformance/malformed")
    let list = try Data(contentsOf: folder.appendingPathComponent("manifest.json"))
    let manifest = try JSONDecoder().decode(Manifest.self, from: list)
    #expect(manifest.files.count == 107)
    for entry in manifest.files {
      let bytes = try Fixtures.bytes(of: folder.appendingPathComponent(entry.file))
      let name = String(entry.file.dropLast(".tflite".count))
      let mustThrow =
        entry.litert != "runs" && !ConformanceFileTests.refusedByOperators.contains(name)
      let model = try? Model(bytes: bytes)
      if mustThrow { #expect(model == nil, "\(entry.file)") }
      if ConformanceFileTests.refusedByOperators.contains(name) {
        #expect(model != nil, "\(entry.file)")
      }
    }
  }
}
