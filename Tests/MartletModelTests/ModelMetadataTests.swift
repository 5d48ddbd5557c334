import MartletTestSupport
import Testing

@testable import MartletModel

/// A model with metadata and appended files.
struct MetadataFile: Sendable {
  var root: [Int: FlatField] = [0: .string("test model"), 2: .string("v1")]
  var identifier = "M001"
  var files: [String: String] = [:]

  /// Metadata with these tables for the first input and output.
  init(
    input: [Int: FlatField] = [:], output: [Int: FlatField] = [:], files: [String: String] = [:]
  ) {
    root[3] = .tables([[2: .tables([input]), 3: .tables([output])]])
    self.files = files
  }

  func metadata() throws -> ModelMetadata? { try Model(bytes: bytes).readMetadata() }

  /// The model's file.
  var bytes: [UInt8] {
    var model = ModelFile()
    model.buffers.append([
      0: .bytes(FlatBufferWriter(.table(root), identifier: identifier).bytes)
    ])
    model.more[6] = .tables([
      [0: .string("min_runtime_version"), 1: .int32(1)],
      [0: .string("TFLITE_METADATA"), 1: .int32(2)],
    ])
    let archive = ArchiveWriter(
      files: files.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) })
    return files.isEmpty ? model.bytes : archive.bytes(behind: model.bytes)
  }

  /// A process unit.
  static func unit(_ tag: UInt8, _ fields: [Int: FlatField]) -> [Int: FlatField] {
    [0: .uint8(tag), 1: .table(fields)]
  }
}

@Suite struct ModelMetadataTests {
  @Test func returnsNilWithoutMetadata() throws {
    #expect(try Model(bytes: ModelFile().bytes).readMetadata() == nil)
  }

  @Test func readsTheModelsDescription() throws {
    var file = MetadataFile()
    file.root = [
      0: .string("n"), 1: .string("d"), 2: .string("v"), 4: .string("a"), 5: .string("l"),
      6: .tables([[0: .string("f"), 1: .string("fd"), 2: .uint8(1), 4: .string("2")]]),
      7: .string("1.0.0"),
    ]
    let metadata = try #require(try file.metadata())
    #expect(metadata.name == "n")
    #expect(metadata.description == "d")
    #expect(metadata.version == "v")
    #expect(metadata.author == "a")
    #expect(metadata.license == "l")
    #expect(metadata.minimumParserVersion == "1.0.0")
    #expect(metadata.subgraphs.isEmpty)
    #expect(
      metadata.associatedFiles == [
        AssociatedFile(
          name: "f", description: "fd", type: .descriptions, locale: "", version: "2")
      ])
  }

  @Test func readsASubgraph() throws {
    var file = MetadataFile()
    file.root[3] = .tables([
      [
        0: .string("main"), 1: .string("does"), 4: .tables([[0: .string("f")]]),
        5: .tables([MetadataFile.unit(4, [0: .tables([[0: .string("vocab")]])])]),
        6: .tables([MetadataFile.unit(3, [0: .float(0.5)])]),
        7: .tables([[0: .string("words"), 1: .node(.nodes([.string("ids"), .string("mask")]))]]),
        9: .tables([[0: .string("mine"), 1: .bytes([1, 2])]]),
      ]
    ])
    let graph = try #require(try file.metadata()?.subgraphs.first)
    #expect(graph.name == "main")
    #expect(graph.description == "does")
    #expect(graph.associatedFiles.map(\.name) == ["f"])
    guard case .bertTokenizer(let vocabularies) = graph.inputProcessUnits.first else {
      Issue.record("no tokenizer")
      return
    }
    #expect(vocabularies.map(\.name) == ["vocab"])
    #expect(graph.outputProcessUnits == [.scoreThreshold(0.5)])
    #expect(graph.inputGroups == [TensorGroup(name: "words", tensorNames: ["ids", "mask"])])
    #expect(graph.outputGroups.isEmpty)
    #expect(graph.customMetadata == [CustomMetadata(name: "mine", data: [1, 2])])
  }

  @Test func readsAnImageInput() throws {
    let input = try #require(
      try MetadataFile(input: [
        0: .string("image"), 1: .string("an image"),
        2: .node(.nodes([.string("batch"), .string("height")])),
        3: .table([
          0: .uint8(2), 1: .table([0: .uint8(1), 1: .table([0: .int32(320), 1: .int32(240)])]),
          2: .table([0: .int32(1), 1: .int32(2)]),
        ]),
        4: .tables([MetadataFile.unit(1, [0: .floats([127.5]), 1: .floats([127.5])])]),
        5: .table([0: .floats([1]), 1: .floats([-1])]),
      ]).metadata()?.subgraphs[0].inputs[0])
    #expect(input.name == "image")
    #expect(input.description == "an image")
    #expect(input.dimensionNames == ["batch", "height"])
    #expect(input.content == .image(colorSpace: .rgb, width: 320, height: 240))
    #expect(input.contentAxes == 1...2)
    #expect(try input.normalization == Normalization(means: [127.5], standardDeviations: [127.5]))
    #expect(input.maxima == [1])
    #expect(input.minima == [-1])
    #expect(input.scoreThreshold == nil)
    #expect(input.scoreCalibration == nil)
  }

  @Test(arguments: [
    (UInt8(1), [Int: FlatField](), TensorContent.feature),
    (2, [0: .uint8(2)], .image(colorSpace: .grayscale, width: nil, height: nil)),
    (2, [0: .uint8(9)], .image(colorSpace: .unknown, width: nil, height: nil)),
    (
      3, [0: .int32s([1, 0, 3, 2]), 1: .uint8(1), 2: .uint8(1)],
      .boundingBox(layout: .boundaries, coordinates: .pixel, order: [1, 0, 3, 2])
    ),
    (4, [0: .int32(16000), 1: .int32(1)], .audio(sampleRate: 16000, channelCount: 1)),
    (7, [:], .other(tag: 7)),
  ])
  func readsContent(tag: UInt8, fields: [Int: FlatField], content: TensorContent) throws {
    let file = MetadataFile(output: [3: .table([0: .uint8(tag), 1: .table(fields)])])
    #expect(try file.metadata()?.subgraphs[0].outputs[0].content == content)
  }

  @Test func readsProcessUnits() throws {
    let output = try #require(
      try MetadataFile(output: [
        4: .tables([
          MetadataFile.unit(2, [0: .uint8(2), 1: .float(0.25)]),
          MetadataFile.unit(3, [0: .float(0.35)]),
          MetadataFile.unit(
            5, [0: .tables([[0: .string("m")]]), 1: .tables([[0: .string("v")]])]),
          MetadataFile.unit(6, [0: .string("[ ]+"), 1: .tables([])]),
          MetadataFile.unit(9, [:]),
        ])
      ]).metadata()?.subgraphs[0].outputs[0])
    #expect(output.scoreThreshold == 0.35)
    #expect(
      output.scoreCalibration
        == ScoreCalibration(transformation: .inverseLogistic, defaultScore: 0.25))
    #expect(output.processUnits.count == 5)
    #expect(output.processUnits[3] == .regexTokenizer(delimiter: "[ ]+", vocabularies: []))
    #expect(output.processUnits[4] == .other(tag: 9))
  }

  @Test(arguments: [
    (
      [MetadataFile.unit(1, [:])], MetadataError.normalizationCount(means: 0, standardDeviations: 0)
    ),
    (
      [MetadataFile.unit(3, [:]), MetadataFile.unit(2, [:]), MetadataFile.unit(3, [:])],
      .repeatedProcessUnit(first: 0, second: 2)
    ),
    (
      [MetadataFile.unit(1, [0: .floats([1, 2]), 1: .floats([1])])],
      .normalizationCount(means: 2, standardDeviations: 1)
    ),
    ([MetadataFile.unit(1, [0: .floats([.nan]), 1: .floats([1])])], .mean(index: 0)),
    (
      [MetadataFile.unit(1, [0: .floats([0, 0]), 1: .floats([1, 0])])],
      .standardDeviation(index: 1)
    ),
    (
      [MetadataFile.unit(1, [0: .floats([0]), 1: .floats([.nan])])],
      .standardDeviation(index: 0)
    ),
    (
      [MetadataFile.unit(1, [0: .floats([0]), 1: .floats([0x1p-24])])],
      .standardDeviation(index: 0)
    ),
  ])
  func rejectsProcessUnits(units: [[Int: FlatField]], error: MetadataError) {
    #expect(throws: error) { _ = try MetadataFile(input: [4: .tables(units)]).metadata() }
  }

  @Test(arguments: [(Int32(2), Int32(1)), (-1, 1)])
  func rejectsContentAxes(first: Int32, last: Int32) {
    let range: FlatField = .table([0: .int32(first), 1: .int32(last)])
    #expect(throws: MetadataError.contentAxes(first: Int(first), last: Int(last))) {
      _ = try MetadataFile(input: [3: .table([2: range])]).metadata()
    }
  }

  @Test func rejectsAnotherIdentifier() {
    var file = MetadataFile()
    file.identifier = "M002"
    #expect(
      throws: MetadataError.flatBuffer(.identifier(found: 0x3230_304D, expected: 0x3130_304D))
    ) { _ = try file.metadata() }
  }
}
