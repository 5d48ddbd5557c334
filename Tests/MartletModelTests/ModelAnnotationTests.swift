import MartletTestSupport
import Testing

@testable import MartletModel

/// Writes annotations into models and reads them back.
@Suite struct ModelAnnotationTests {
  static let labels = ["cat", "dog"]

  /// An annotation with all fields for `ModelFile`, which has one output with two classes.
  static var everything: ModelAnnotation {
    get throws {
      var annotation = ModelAnnotation()
      annotation.name = "pets"
      annotation.description = "tells pets"
      annotation.version = "2"
      annotation.author = "somebody"
      annotation.license = "none"
      annotation.normalization = try Normalization(
        means: [1, 2, 3], standardDeviations: [4, 5, 6])
      annotation.labels = labels
      annotation.displayNames = [.init(locale: "de", names: ["Katze", ""])]
      annotation.scoreThreshold = 0.25
      return annotation
    }
  }

  static func annotated(
    _ model: ModelFile = ModelFile(), _ annotation: ModelAnnotation
  ) throws -> Model {
    try Model(bytes: try Model(bytes: model.bytes).annotated(with: annotation))
  }

  @Test func readsWrittenMetadata() throws {
    let model = try ModelAnnotationTests.annotated(ModelFile(), ModelAnnotationTests.everything)
    let metadata = try #require(try model.readMetadata())
    #expect(metadata.name == "pets")
    #expect(metadata.description == "tells pets")
    #expect(metadata.version == "2")
    #expect(metadata.author == "somebody")
    #expect(metadata.license == "none")
    #expect(metadata.minimumParserVersion == "1.0.0")
    let graph = metadata.subgraphs[0]
    #expect(graph.inputs.map(\.name) == ["in"])
    #expect(graph.outputs.map(\.name) == ["out"])
    #expect(graph.inputs[0].normalization?.means == [1, 2, 3])
    #expect(graph.inputs[0].normalization?.standardDeviations == [4, 5, 6])
    #expect(graph.outputs[0].scoreThreshold == 0.25)
    let plain = try metadata.labels(of: graph.outputs[0])
    #expect(plain == TensorLabels(names: ModelAnnotationTests.labels, displayNames: nil))
    let german = try metadata.labels(of: graph.outputs[0], locale: "de")
    #expect(german?.displayNames == ["Katze", ""])
    #expect(metadata.fileNames == ["labels.txt", "labels-de.txt"])
  }

  @Test func addsDisplayNamesLater() throws {
    var annotation = ModelAnnotation()
    annotation.displayNames = [.init(locale: "fr", names: ["chat", "chien"])]
    let before = try Model(bytes: ModelFile().bytes)
      .annotated(with: ModelAnnotationTests.everything)
    let model = try Model(bytes: Model(bytes: before).annotated(with: annotation))
    let metadata = try #require(try model.readMetadata())
    let output = metadata.subgraphs[0].outputs[0]
    for (locale, names) in [("fr", ["chat", "chien"]), ("de", ["Katze", ""])] {
      let labels = try #require(try metadata.labels(of: output, locale: locale))
      #expect(labels == TensorLabels(names: ModelAnnotationTests.labels, displayNames: names))
    }
  }

  @Test func keepsGraph() throws {
    let before = try Model(bytes: ModelFile().bytes)
    let after = try ModelAnnotationTests.annotated(ModelFile(), ModelAnnotationTests.everything)
    #expect(after.description == before.description)
    #expect(after.subgraphs.count == 1 && after.subgraphs[0].name == "main")
    #expect(after.subgraphs[0].inputs == before.subgraphs[0].inputs)
    #expect(after.subgraphs[0].outputs == before.subgraphs[0].outputs)
    for (old, new) in zip(before.subgraphs[0].tensors, after.subgraphs[0].tensors) {
      #expect(new.name == old.name && new.shape == old.shape && new.buffer == old.buffer)
      #expect(new.quantization == old.quantization)
    }
    for (old, new) in zip(before.subgraphs[0].operators, after.subgraphs[0].operators) {
      #expect(new.code == old.code && new.version == old.version && new.inputs == old.inputs)
    }
    for (old, new) in zip(before.buffers, after.buffers) {
      #expect(Array(after.bytes[new]) == Array(before.bytes[old]))
      // Kernels read constants in place.
      #expect(new.isEmpty || (new.lowerBound - old.lowerBound).isMultiple(of: 64))
    }
    #expect(after.buffers.count == before.buffers.count + 1)
  }

  @Test func keepsFieldsThatAreNotReplaced() throws {
    var first = ModelAnnotation()
    first.author = "first"
    first.labels = ["a", "b"]
    first.scoreThreshold = 0.5
    let bytes = try Model(bytes: ModelFile().bytes).annotated(with: first)
    var second = ModelAnnotation()
    second.scoreThreshold = 0.75
    let metadata = try #require(
      try Model(bytes: try Model(bytes: bytes).annotated(with: second)).readMetadata())
    #expect(metadata.author == "first")
    #expect(metadata.subgraphs[0].outputs[0].processUnits == [.scoreThreshold(0.75)])
    #expect(try metadata.labels(of: metadata.subgraphs[0].outputs[0])?.names == ["a", "b"])
    #expect(metadata.fileNames == ["labels.txt"])
  }

  @Test func newLabelsReplaceOldOnes() throws {
    var file = MetadataFile(
      output: [
        6: .tables([
          [0: .string("old.txt"), 2: .uint8(2)], [0: .string("c.txt"), 2: .uint8(4)],
        ])
      ],
      files: ["old.txt": "x\ny\n", "c.txt": "1,1,0\n\n", "more.txt": "kept"])
    file.root[6] = .tables([[0: .string("more.txt")]])
    var annotation = ModelAnnotation()
    annotation.labels = ModelAnnotationTests.labels
    let metadata = try #require(
      try Model(bytes: try Model(bytes: file.bytes).annotated(with: annotation)).readMetadata())
    let output = metadata.subgraphs[0].outputs[0]
    #expect(try metadata.labels(of: output)?.names == ModelAnnotationTests.labels)
    #expect(try metadata.scoreCalibrations(of: output)?.count == 2)
    #expect(metadata.name == "test model")
    #expect(metadata.associatedFiles.map(\.name) == ["more.txt"])
    #expect(try metadata.contents(ofFile: "more.txt") == Array("kept".utf8))
    #expect(try metadata.contents(ofFile: "old.txt") == nil)
  }

  @Test func roundTripsEveryField() throws {
    var file = MetadataFile(
      input: [
        0: .string("i"), 1: .string("id"), 2: .node(.nodes([.string("a"), .string("b")])),
        3: .table([
          0: .uint8(2), 1: .table([0: .uint8(2), 1: .table([0: .int32(3), 1: .int32(4)])]),
          2: .table([0: .int32(1), 1: .int32(2)]),
        ]),
        4: .tables([
          MetadataFile.unit(1, [0: .floats([1]), 1: .floats([2])]),
          MetadataFile.unit(4, [0: .tables([[0: .string("v")]])]),
          MetadataFile.unit(
            5, [0: .tables([[0: .string("m")]]), 1: .tables([[0: .string("w")]])]),
          MetadataFile.unit(6, [0: .string(" "), 1: .tables([[0: .string("r")]])]),
        ]),
        5: .table([0: .floats([1, 2]), 1: .floats([0])]),
      ],
      output: [
        3: .table([
          0: .uint8(3), 1: .table([0: .int32s([1, 0, 3, 2]), 1: .uint8(1), 2: .uint8(1)]),
        ]),
        4: .tables([
          MetadataFile.unit(2, [0: .uint8(2), 1: .float(0.1)]),
          MetadataFile.unit(3, [0: .float(0.2)]),
        ]),
        6: .tables([
          [
            0: .string("l"), 1: .string("ld"), 2: .uint8(3), 3: .string("en"), 4: .string("1"),
          ]
        ]),
      ])
    guard case .node(.nodes(let graphs)) = file.root[3], case .table(var graph) = graphs[0] else {
      Issue.record("no subgraph")
      return
    }
    graph[4] = .tables([[0: .string("f")]])
    graph[5] = .tables([MetadataFile.unit(4, [0: .tables([[0: .string("vocab")]])])])
    graph[6] = .tables([MetadataFile.unit(3, [0: .float(0.5)])])
    graph[7] = .tables([[0: .string("g"), 1: .node(.nodes([.string("i")]))]])
    graph[8] = .tables([[0: .string("h")]])
    graph[9] = .tables([[0: .string("mine"), 1: .bytes([1, 2])]])
    file.root[3] = .tables([graph])
    let before = try #require(try file.metadata())
    let after = try #require(
      try Model(bytes: try Model(bytes: file.bytes).annotated(with: ModelAnnotation()))
        .readMetadata())
    #expect(after.subgraphs == before.subgraphs)
    #expect(before.subgraphs[0].outputGroups.map(\.name) == ["h"])
    #expect(after.name == before.name && after.version == before.version)
  }

  @Test func updatesOffsetsFromTheFilesStart() throws {
    var model = ModelFile()
    model.buffers[1] = [1: .int64(2), 2: .int64(8)]
    let size = Int64(model.bytes.count)
    model.buffers[1] = [1: .int64(size), 2: .int64(8)]
    let bytes = model.bytes + [1, 2, 3, 4, 5, 6, 7, 8]
    let annotated = try Model(bytes: bytes).annotated(with: try ModelAnnotationTests.everything)
    let after = try Model(bytes: annotated)
    #expect(Array(after.bytes[after.buffers[1]]) == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func sameMetadataReturnsSameBytes() throws {
    let model = try Model(bytes: ModelFile().bytes)
    let annotation = try ModelAnnotationTests.everything
    #expect(try model.annotated(with: annotation) == model.annotated(with: annotation))
  }

  @Test func declaresImagesAsRGB() throws {
    var model = ModelFile()
    model.tensors[0][0] = .int32s([1, 2, 2, 3])
    let metadata = try ModelAnnotationTests.annotated(model, ModelAnnotation()).readMetadata()
    let content = metadata?.subgraphs[0].inputs[0].content
    #expect(content == .image(colorSpace: .rgb, width: nil, height: nil))
  }

  static func changedAnnotation(_ change: (inout ModelAnnotation) -> Void) -> ModelAnnotation {
    var annotation = ModelAnnotation()
    annotation.labels = ["a", "b"]
    change(&annotation)
    return annotation
  }

  @Test(
    arguments: [
      (changedAnnotation { $0.labels = ["a"] }, .labelCount(tensor: "out", found: 1, classes: 2)),
      (
        changedAnnotation { $0.displayNames = [.init(locale: "en", names: ["a", "b", "c"])] },
        .labelCount(tensor: "out", found: 3, classes: 2)
      ),
      (changedAnnotation { $0.labels = ["a", "b\n"] }, .lineBreak(label: 1)),
      (
        changedAnnotation {
          $0.labels = nil
          $0.displayNames = [.init(locale: "en", names: [])]
        }, .displayNames(locale: "en")
      ),
      (
        changedAnnotation { $0.displayNames = [.init(locale: "", names: ["a", "b"])] },
        .displayNames(locale: "")
      ),
      (
        changedAnnotation {
          let names = ModelAnnotation.DisplayNames(locale: "en", names: ["a", "b"])
          $0.displayNames = [names, names]
        }, .displayNames(locale: "en")
      ),
      (changedAnnotation { $0.scoreThreshold = 1.5 }, .threshold(1.5)),
      (
        changedAnnotation {
          $0.normalization = try? Normalization(means: [1, 2], standardDeviations: [1, 2])
        }, .channelCount(tensor: "in", count: 2)
      ),
    ] as [(ModelAnnotation, AnnotationError)])
  func rejectsInvalidAnnotation(_ annotation: ModelAnnotation, _ error: AnnotationError) throws {
    #expect(throws: error) { try ModelAnnotationTests.annotated(ModelFile(), annotation) }
    #expect(!"\(error)".isEmpty && !"\(error)".contains("\n"))
  }

  @Test func rejectsUnreadableMetadata() throws {
    var file = MetadataFile()
    file.identifier = "M002"
    let model = try Model(bytes: file.bytes)
    #expect(throws: AnnotationError.self) { try model.annotated(with: ModelAnnotation()) }
  }

  /// Labels written into real models can be read back, and other buffers are unchanged.
  @Test(
    .enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"),
    arguments: [
      "mlkit__bird_classifier", "mlkit__object_labeler", "mlkit__model",
      "support__mobilenet_v1_0.25_224_quant",
      "support__coco_ssd_mobilenet_v1_1.0_quant_2018_06_29",
    ])
  func annotatesRealModels(_ name: String) throws {
    let url = SharedMaterial.url("conformance/models/\(name).tflite")
    let before = try Model(bytes: try Fixtures.bytes(of: url))
    let output = before.detectionOutputs?.classes ?? 0
    let tensor = before.subgraphs[0].tensors[before.subgraphs[0].outputs[output]]
    // A detector's file does not state the number of classes.
    let classes = tensor.shape.rank > 0 ? tensor.shape[tensor.shape.rank - 1] : 90
    var annotation = ModelAnnotation()
    annotation.labels = (0..<classes).map { "class \($0)" }
    let after = try Model(bytes: try before.annotated(with: annotation))
    let metadata = try #require(try after.readMetadata())
    let labels = try metadata.labels(
      of: metadata.subgraphs[0].outputs[output],
      type: before.detectionOutputs == nil ? .tensorAxisLabels : .tensorValueLabels)
    #expect(labels?.names == annotation.labels)
    for (old, new) in zip(before.buffers, after.buffers) where !isMetadata(old, before) {
      #expect(after.bytes[new].elementsEqual(before.bytes[old]))
    }
  }

  private func isMetadata(_ range: Range<Int>, _ model: Model) -> Bool {
    model.metadata.contains { model.buffers[$0.buffer] == range }
  }
}
