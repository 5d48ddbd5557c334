import Foundation
import MartletTestSupport
import Testing

@testable import MartletModel

/// Files from other writers. Their expected contents were read with the `flatbuffers` package for
/// Python and the schema of LiteRT 2.3.0; expected errors follow LiteRT's messages.
@Suite struct FixtureFileTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.folder("Models/\(name).tflite"))
  }

  private func model(_ name: String) throws -> Model { try Model(bytes: try bytes(name)) }

  @Test func readsAConvolution() throws {
    let graph = try model("trailing_garbage_ok").subgraphs[0]
    #expect(graph.tensors.map(\.name) == ["in0", "weights", "bias", "out0"])
    #expect(graph.tensors.map(\.type) == [.int8, .int8, .int32, .int8])
    #expect(graph.tensors[1].shape == Shape(8, 3, 3, 3))
    #expect(graph.tensors[1].quantization?.scales.count == 8)
    let convolution = graph.operators[0]
    #expect(convolution.code == .builtin(.conv2D))
    #expect(convolution.version == 3)
    #expect(convolution.options == .conv2D(Conv2DOptions(strideWidth: 1, strideHeight: 1)))
  }

  @Test func readsASparseTensor() throws {
    let tensor = try model("densify_f32_8x8_blk2x2_u8").subgraphs[0].tensors[0]
    #expect(
      tensor.sparsity
        == Sparsity(
          traversalOrder: [0, 1, 2, 3], blockMap: [0, 1],
          levels: [
            .dense(size: 4),
            .compressed(segments: [0, 0, 3, 6, 7], indices: [0, 1, 3, 1, 2, 3, 0]),
            .dense(size: 2), .dense(size: 2),
          ]))
    #expect(tensor.sparsity?.storedCount == 28)
  }

  @Test func readsALoop() throws {
    let model = try model("while_f32_loop")
    #expect(model.description == "MLIR Converted.")
    #expect(model.subgraphs.map(\.name) == ["main", "while_cond", "while_body"])
    #expect(model.subgraphs.map { $0.tensors.count } == [6, 4, 9])
    #expect(model.subgraphs[2].outputs == [6, 8, 2])
    #expect(
      model.subgraphs[0].operators.map(\.options)
        == [.while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 2))])
    #expect(
      model.subgraphs[2].operators.map(\.code)
        == [.builtin(.cast), .builtin(.add), .builtin(.mul), .builtin(.add)])
  }

  @Test func readsVariablesAndASignature() throws {
    let model = try model("variables_f32_accumulate")
    #expect(model.signatures.map(\.key) == ["serving_default"])
    #expect(model.signatures[0].inputs == [SignatureTensor(name: "x", tensor: 0)])
    let operators = model.subgraphs[0].operators
    #expect(operators[0].code == .builtin(.callOnce))
    #expect(operators[0].options == .callOnce(CallOptions(subgraph: 1)))
    #expect(operators[1].options == .varHandle(VarHandleOptions(sharedName: "Variable")))
    #expect(model.subgraphs[0].tensors[2].type == .resource)
  }

  @Test func readsTheOptionsOfACustomOperator() throws {
    let model = try model("detection_postprocess")
    let operation = model.subgraphs[0].operators[0]
    #expect(operation.code == .custom("TFLite_Detection_PostProcess"))
    let options = try FlexBuffer(model.bytes, in: operation.customOptions)
    let integers = [
      "detections_per_class": 3, "max_classes_per_detection": 1, "max_detections": 10,
      "num_classes": 5,
    ]
    for (key, value) in integers { #expect(options[key]?.intValue == value, "\(key)") }
    let floats: [String: Float] = [
      "h_scale": 5, "w_scale": 5, "x_scale": 10, "y_scale": 10, "nms_iou_threshold": 0.5,
      "nms_score_threshold": 0.1,
    ]
    for (key, value) in floats { #expect(options[key]?.floatValue == value, "\(key)") }
    #expect(options["use_regular_nms"]?.boolValue == true)
  }

  private static let operation = ModelPlace.operation(0, subgraph: 0)

  @Test(arguments: [
    (
      "op_input_index_out_of_range",
      ModelError.indexOutOfRange(.tensor, operation, index: 999, count: 4)
    ),
    ("op_output_index_out_of_range", .indexOutOfRange(.tensor, operation, index: 777, count: 4)),
    ("opcode_index_out_of_range", .indexOutOfRange(.operatorCode, operation, index: 50, count: 1)),
    ("subgraph_input_out_of_range", .indexOutOfRange(.tensor, .subgraph(0), index: 42, count: 4)),
    ("schema_version_2", .version(found: 2, expected: 3)),
    (
      "tensor_buffer_out_of_range",
      .indexOutOfRange(.buffer, .tensor(1, subgraph: 0), index: 1000, count: 3)
    ),
    ("input_negative_dim", .extent(.tensor(0, subgraph: 0), axis: 1, found: -8)),
    (
      "unknown_tensor_type", .unknownValue(.elementType, .tensor(0, subgraph: 0), found: 99)
    ),
    ("quant_scale_count_mismatch", .scaleCount(.tensor(1, subgraph: 0), found: 3, expected: 8)),
    (
      "quant_axis_out_of_range",
      .indexOutOfRange(.axis, .tensor(1, subgraph: 0), index: 9, count: 4)
    ),
    ("unknown_builtin_code", .unknownOperator(index: 0, code: 5000)),
    ("while_body_out_of_range", .indexOutOfRange(.subgraph, operation, index: 9, count: 3)),
    ("root_offset_past_end", .flatBuffer(.badOffset(offset: 0, target: 1236, size: 1136))),
  ])
  func rejectsDamagedFile(name: String, error: ModelError) throws {
    let bytes = try bytes(name)
    #expect(throws: error) { _ = try Model(bytes: bytes) }
  }

  @Test func rejectsEveryTruncation() throws {
    // Constants precede the tables, so every truncation removes something required.
    let bytes = try bytes("detection_postprocess")
    for count in stride(from: 0, to: bytes.count - 16, by: 7) {
      #expect(throws: ModelError.self, "\(count) bytes") {
        _ = try Model(bytes: Array(bytes.prefix(count)))
      }
    }
  }
}
