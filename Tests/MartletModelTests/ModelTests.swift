import MartletTestSupport
import Testing

@testable import MartletModel

@Suite struct ModelTests {
  static let file = ModelFile()
  static let weights = ModelPlace.tensor(1, subgraph: 0)
  static let operation = ModelPlace.operation(0, subgraph: 0)

  @Test func readsFile() throws {
    let model = try Model(bytes: ModelTests.file.bytes)
    #expect(model.version == 3)
    #expect(model.description == "a test")
    #expect(model.buffers.map(\.count) == [0, 8])
    #expect(Array(model.bytes[model.buffers[1]]) == [1, 2, 3, 4, 5, 6, 7, 8])
    let graph = try #require(model.subgraphs.first)
    #expect(graph.name == "main")
    #expect(graph.inputs == [0])
    #expect(graph.outputs == [2])
    let operation = try #require(graph.operators.first)
    #expect(operation.code == .builtin(.fullyConnected))
    #expect(operation.version == 5)
    #expect(operation.inputs == [0, 1, -1])
    #expect(operation.outputs == [2])
    #expect(operation.customOptions.isEmpty)
    #expect(
      operation.options
        == .fullyConnected(FullyConnectedOptions(activation: .relu, keepDimensions: true)))
    let weights = graph.tensors[1]
    #expect(weights.name == "weights")
    #expect(weights.type == .int8)
    #expect(weights.shape == Shape(2, 4))
    #expect(weights.buffer == 1)
    #expect(
      weights.quantization == Quantization(scales: [0.5, 0.25], zeroPoints: [0, 0], axis: 0))
    #expect(!weights.isVariable)
  }

  @Test(arguments: [
    // The older field is a signed byte; the larger of the two is used.
    (UInt8(9), Int32(0), 9), (9, 9, 9), (127, 150, 150), (0, 0, 0), (0x80, 3, 3), (53, 3, 53),
  ])
  func usesTheLargerOperatorCode(older: UInt8, newer: Int32, code: Int) throws {
    var file = ModelTests.file
    file.codes = [[0: .uint8(older), 3: .int32(newer)]]
    let model = try Model(bytes: file.bytes)
    #expect(
      model.subgraphs[0].operators[0].code
        == .builtin(try #require(BuiltinOperator(rawValue: Int32(code)))))
    #expect(model.subgraphs[0].operators[0].version == 1)
  }

  /// The first bytes of files from git-lfs, browsers, onnx 1.19, coremltools 9, torch.save, Keras 2
  /// and 3.
  @Test(
    arguments: [
      (
        Array("version https://git-lfs.github.com/spec/v1\noid sha256:0".utf8),
        "a Git LFS pointer, not the file itself (run git lfs pull)"
      ),
      (
        Array("<!DOCTYPE html><html lang=en>".utf8),
        "an HTML page (download the file itself, not the page that shows it)"
      ),
      ([8, 14, 58, 51, 10, 12, 10, 1, 120, 18, 1, 121], "an ONNX model (onnx2tf converts it)"),
      (
        [8, 4, 18, 9, 10, 7, 10, 5, 105, 109, 97, 103, 101],
        "a Core ML model (convert the model that it was made from)"
      ),
      (
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [16, 0, 0, 0]
          + Array("archive/data.pkl".utf8), "a PyTorch model (litert-torch converts it)"
      ),
      (
        [0x80, 2, 0x8A, 10, 0x6C, 0xFC, 0x9C, 0x46],
        "a PyTorch model (litert-torch converts it)"
      ),
      (
        [0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10],
        "an HDF5 file (Keras; TFLiteConverter converts it)"
      ),
      (
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [13, 0, 0, 0]
          + Array("metadata.json".utf8), "a Keras model (TFLiteConverter converts it)"
      ),
    ] as [([UInt8], String)])
  func errorsNameOtherFormatsAndTheirConverters(_ bytes: [UInt8], _ name: String) {
    let expected = ModelError.format(name)
    #expect(throws: expected) { try Model(bytes: bytes) }
    #expect(throws: expected) { try Model.checkBeginning(bytes) }
    #expect("\(expected)" == "expected a TensorFlow Lite model (.tflite), found \(name)")
  }

  @Test func checksTheBeginningOfAFile() throws {
    #expect(throws: Never.self) { try Model.checkBeginning(Array(ModelTests.file.bytes.prefix(8))) }
    #expect(throws: ModelError.self) { try Model.checkBeginning([]) }
    let zeros = [UInt8](repeating: 0, count: 200)
    #expect(throws: ModelError.flatBuffer(.identifier(found: 0, expected: 0x334C_4654))) {
      try Model.checkBeginning(zeros)
    }
  }

  @Test func readsCustomOperators() throws {
    var file = ModelTests.file.operation(5, .bytes([7, 8, 9]))
    file.codes = [[0: .uint8(32), 1: .string("Mine")]]
    let model = try Model(bytes: file.bytes)
    let operation = model.subgraphs[0].operators[0]
    #expect(operation.code == .custom("Mine"))
    #expect(Array(model.bytes[operation.customOptions]) == [7, 8, 9])
  }

  @Test func readsMetadataEntriesAndSignatures() throws {
    let file = ModelTests.file
      .root(6, .tables([[0: .string("note"), 1: .int32(1)]]))
      .root(
        7,
        .tables([
          [
            0: .tables([[0: .string("x"), 1: .int32(0)]]),
            1: .tables([[0: .string("y"), 1: .int32(2)]]), 2: .string("serve"), 4: .int32(0),
          ]
        ]))
    let model = try Model(bytes: file.bytes)
    #expect(model.metadata == [MetadataEntry(name: "note", buffer: 1)])
    #expect(
      model.signatures == [
        Signature(
          key: "serve", subgraph: 0, inputs: [SignatureTensor(name: "x", tensor: 0)],
          outputs: [SignatureTensor(name: "y", tensor: 2)])
      ])
  }

  @Test func readsConstantsAfterTheFlatBuffer() throws {
    // Files beyond two gigabytes store constants after the tables, with offset and size.
    var file = ModelTests.file
    file.buffers[1] = [1: .int64(0), 2: .int64(8)]
    let size = file.bytes.count
    file.buffers[1] = [1: .int64(Int64(size)), 2: .int64(8)]
    let bytes = file.bytes + [9, 9, 9, 9, 9, 9, 9, 9]
    #expect(try Model(bytes: bytes).buffers[1] == size..<size + 8)
    #expect(
      throws: ModelError.outsideFile(
        .buffer(1), offset: UInt64(size), count: 8, fileSize: bytes.count - 1)
    ) { _ = try Model(bytes: bytes.dropLast()) }
    file.buffers[1] = [1: .int64(-1), 2: .int64(-1)]
    #expect(
      throws: ModelError.outsideFile(.buffer(1), offset: .max, count: .max, fileSize: size)
    ) { _ = try Model(bytes: file.bytes) }
  }

  @Test func ignoresBytesAfterTheModel() throws {
    #expect(try Model(bytes: ModelTests.file.bytes + [1, 2, 3]).subgraphs.count == 1)
  }

  @Test func readsAModelWithoutABufferList() throws {
    var file = ModelTests.file
    file.buffers = []
    file.tensors[1][2] = nil
    #expect(try Model(bytes: file.bytes).buffers.map(\.count) == [0])
  }

  static let damaged: [Broken] = [
    Broken("no version", file.root(0, .int32(0)), .version(found: 0, expected: 3)),
    Broken("version 2", file.root(0, .int32(2)), .version(found: 2, expected: 3)),
    Broken(
      "version beyond 31 bits", file.root(0, .int32(-1)),
      .version(found: 0xFFFF_FFFF, expected: 3)),
    Broken("no subgraphs", file.root(2, .tables([])), .missing(.subgraphs, .model)),
    Broken(
      "operator code 32 without a name", file.root(1, .tables([[0: .uint8(32)]])),
      .missing(.customCode, .operatorCode(0))),
    Broken(
      "operator code 210", file.root(1, .tables([[3: .int32(210)]])),
      .unknownOperator(index: 0, code: 210)),
    Broken(
      "delegate", file.root(1, .tables([[0: .uint8(51)]])), .unknownOperator(index: 0, code: 51)),
    Broken(
      "no operator codes", file.root(1, .tables([])),
      .indexOutOfRange(.operatorCode, operation, index: 0, count: 0)),
    Broken(
      "operator code out of range", file.operation(0, .int32(1)),
      .indexOutOfRange(.operatorCode, operation, index: 1, count: 1)),
    Broken(
      "operator input out of range", file.operation(1, .int32s([0, 3])),
      .indexOutOfRange(.tensor, operation, index: 3, count: 3)),
    Broken(
      "operator input of -2", file.operation(1, .int32s([-2])),
      .indexOutOfRange(.tensor, operation, index: -2, count: 3)),
    Broken(
      "operator output absent", file.operation(2, .int32s([-1])),
      .indexOutOfRange(.tensor, operation, index: -1, count: 3)),
    Broken(
      "intermediate out of range", file.operation(8, .int32s([9])),
      .indexOutOfRange(.tensor, operation, index: 9, count: 3)),
    Broken(
      "metadata of no buffer", file.root(6, .tables([[1: .int32(2)]])),
      .indexOutOfRange(.buffer, .metadata(0), index: 2, count: 2)),
    Broken(
      "signature without a key", file.root(7, .tables([[:]])),
      .missing(.signatureKey, .signature(0))),
    Broken(
      "signature of no subgraph", file.root(7, .tables([[2: .string("k"), 4: .int32(1)]])),
      .indexOutOfRange(.subgraph, .signature(0), index: 1, count: 1)),
    Broken(
      "signature of no tensor",
      file.root(7, .tables([[2: .string("k"), 1: .tables([[1: .int32(3)]])]])),
      .indexOutOfRange(.tensor, .signature(0), index: 3, count: 3)),
  ]

  @Test(arguments: damaged)
  func rejectsInvalidModel(_ broken: Broken) {
    #expect(throws: broken.error) { _ = try Model(bytes: broken.file.bytes) }
  }

  @Test(arguments: [[Int32(3)], [-1], [0, .max]])
  func rejectsGraphInputsAndOutputsOutOfRange(indices: [Int32]) {
    let bad = Int(indices.last ?? 0)
    var file = ModelTests.file
    file.inputs = indices
    let error = ModelError.indexOutOfRange(.tensor, .subgraph(0), index: bad, count: 3)
    #expect(throws: error) { _ = try Model(bytes: file.bytes) }
    file = ModelTests.file
    file.outputs = indices
    #expect(throws: error) { _ = try Model(bytes: file.bytes) }
  }

  @Test func rejectsAnotherIdentifier() {
    var bytes = ModelTests.file.bytes
    bytes[7] = UInt8(ascii: "4")
    #expect(
      throws: ModelError.flatBuffer(
        .identifier(found: 0x344C_4654, expected: 0x334C_4654))
    ) { _ = try Model(bytes: bytes) }
  }

  @Test func errorsAreSentences() {
    let error = ModelError.indexOutOfRange(.tensor, ModelTests.operation, index: 9, count: 3)
    #expect(error.description == "operator 0 of subgraph 0 refers to tensor 9 of 3")
  }
}
