//===--- Model+Annotating.swift - rewriting a model's metadata ------------===//
//
// A new root before the file's tables refers to them in place. Only the list of buffers, the list
// of metadata and the metadata itself are new. Labels are stored in the appended archive.
//
// Contract  The graph is unchanged byte for byte: the tables are moved by a multiple of 64 bytes,
//           not rewritten. The same model and annotation give the same bytes.
// Cost      A copy of the file.
// Source    TensorFlow Lite schema version 3; metadata schema 1.5.
//===----------------------------------------------------------------------===//

extension Model {
  /// The largest offset in a FlatBuffer.
  private static let sizeLimit = Int(Int32.max)

  /// Returns the model's file with `annotation` merged into its metadata; other metadata is kept.
  ///
  /// Labels belong to the first output of a classifier, and to the classes of a detector that ends
  /// in `TFLite_Detection_PostProcess`.
  public func annotated(with annotation: ModelAnnotation) throws(AnnotationError) -> [UInt8] {
    let before: ModelMetadata
    do throws(MetadataError) {
      before = try readMetadata() ?? .nothing
    } catch { throw .metadata(error) }
    var after = before
    let files = try after.apply(annotation, to: self)
    let tables: [UInt8]
    do throws(ArchiveError) {
      tables = Array(bytes[..<(try AppendedArchive(bytes: bytes).start)])
    } catch { throw .metadata(.archive(error)) }
    var result: [UInt8]
    do throws(FlatBufferError) {
      result = try rewritten(tables, metadata: after.flatBuffer)
    } catch { throw .flatBuffer(error) }
    result += AppendedArchive.bytes(of: files, behind: result.count)
    guard result.count <= Model.sizeLimit else { throw .tooLarge(bytes: result.count) }
    return result
  }

  /// Returns the tables with the metadata replaced.
  private func rewritten(
    _ tables: [UInt8], metadata: [UInt8]
  ) throws(FlatBufferError) -> [UInt8] {
    let buffer = try FlatBuffer(
      FileBytes(tables), in: 0..<tables.count, limits: ModelLimits.flatBuffer)
    let root = try buffer.root(identifier: Model.identifier)
    var fields: [Int: FlatField] = [0: .int32(Int32(truncatingIfNeeded: version))]
    for field in [1, 2, 3, 5, 7] {
      if let target = try root.target(of: field) { fields[field] = .node(.existing(target)) }
    }
    var buffers: [FlatNode] = []
    for table in try root.tables(4) ?? [] { buffers.append(.existing(table.offset)) }
    // Buffer 0 means no data.
    if buffers.isEmpty { buffers = [.table([:])] }
    var entries: [FlatNode] = []
    for table in try root.tables(6) ?? []
    where try table.string(0) != Model.metadataName {
      entries.append(.existing(table.offset))
    }
    entries.append(
      .table([
        0: .string(Model.metadataName), 1: .int32(Int32(truncatingIfNeeded: buffers.count)),
      ]))
    buffers.append(.table([0: .bytes(metadata)]))
    fields[4] = .node(.nodes(buffers))
    fields[6] = .node(.nodes(entries))
    let writer = FlatBufferWriter(.table(fields), identifier: "TFL3", inFrontOf: tables)
    var bytes = writer.bytes
    for place in try root.fileOffsets() {
      bytes.add(writer.restStart, toOffsetAt: place + writer.restStart)
    }
    return bytes
  }
}

extension Table {
  /// The positions of offsets that count from the file's start: those of buffers and of custom
  /// options stored outside the tables. Offsets 0 and 1 mean no data.
  fileprivate func fileOffsets() throws(FlatBufferError) -> [Int] {
    var places: [Int] = []
    for buffer in try tables(4) ?? [] where try buffer.uint64(1) > 1 {
      if let place = try buffer.position(of: 1, width: 8) { places.append(place) }
    }
    for subgraph in try tables(2) ?? [] {
      for node in try subgraph.tables(3) ?? [] where try node.uint64(9) > 1 {
        if let place = try node.position(of: 9, width: 8) { places.append(place) }
      }
    }
    return places
  }
}

extension [UInt8] {
  /// Adds `distance` to the 64-bit number at `place`, which must be in the array.
  fileprivate mutating func add(_ distance: Int, toOffsetAt place: Int) {
    var value: UInt64 = 0
    for index in (0..<8).reversed() { value = value << 8 | UInt64(self[place + index]) }
    replaceSubrange(place..<place + 8, with: (value &+ UInt64(distance)).littleEndianBytes)
  }
}

extension ModelMetadata {
  /// The oldest version of the schema; it already has all fields of an annotation.
  private static let firstVersion = "1.0.0"

  fileprivate static let nothing = ModelMetadata(
    name: "", description: "", version: "", author: "", license: "", minimumParserVersion: "",
    subgraphs: [], associatedFiles: [], archive: .empty)

  /// Merges the annotation, and returns the files of the archive to append to the model.
  fileprivate mutating func apply(
    _ annotation: ModelAnnotation, to model: Model
  ) throws(AnnotationError) -> [AppendedArchive.NewEntry] {
    name = annotation.name ?? name
    description = annotation.description ?? description
    version = annotation.version ?? version
    author = annotation.author ?? author
    license = annotation.license ?? license
    if minimumParserVersion.isEmpty { minimumParserVersion = ModelMetadata.firstVersion }
    if subgraphs.isEmpty { subgraphs = [SubgraphMetadata()] }
    subgraphs[0].complete(for: model)
    if let normalization = annotation.normalization {
      try subgraphs[0].normalize(normalization, of: model)
    }
    if let threshold = annotation.scoreThreshold {
      guard (0...1).contains(threshold) else { throw .threshold(threshold) }
      let output = model.detectionOutputs?.scores ?? 0
      guard subgraphs[0].outputs.indices.contains(output) else { throw .noTensor }
      subgraphs[0].outputs[output].replaceUnit(.scoreThreshold(threshold))
    }
    return try label(annotation, model)
  }

  /// Updates the labels, and returns the files of the archive, including labels.
  private mutating func label(
    _ annotation: ModelAnnotation, _ model: Model
  ) throws(AnnotationError) -> [AppendedArchive.NewEntry] {
    var files: [AppendedArchive.NewEntry] = []
    var outdated: Set<String> = []
    let lists = try LabelList.lists(of: try withOwnLabels(annotation, model))
    if !lists.isEmpty {
      let output = model.detectionOutputs?.classes ?? 0
      guard subgraphs[0].outputs.indices.contains(output) else { throw .noTensor }
      try model.check(lists, of: output)
      let type: AssociatedFileType =
        model.detectionOutputs == nil ? .tensorAxisLabels : .tensorValueLabels
      outdated = subgraphs[0].outputs[output].replaceLabels(by: lists, of: type)
      outdated.formUnion(lists.map { $0.file })
    }
    for entry in archive.entries where !outdated.contains(entry.name) {
      do throws(ArchiveError) {
        guard let contents = try archive.contents(of: entry.name) else { continue }
        files.append(.init(name: entry.name, contents: Array(contents)))
      } catch { throw .metadata(.archive(error)) }
    }
    return files + lists.map { .init(name: $0.file, contents: $0.contents) }
  }
}

extension ModelMetadata {
  /// Returns the annotation. If it has display names but no labels, adds the model's labels and the
  /// model's display names in other languages.
  private func withOwnLabels(
    _ annotation: ModelAnnotation, _ model: Model
  ) throws(AnnotationError) -> ModelAnnotation {
    guard annotation.labels == nil, !annotation.displayNames.isEmpty else { return annotation }
    let output = model.detectionOutputs?.classes ?? 0
    guard subgraphs[0].outputs.indices.contains(output) else { throw .noTensor }
    let tensor = subgraphs[0].outputs[output]
    let type: AssociatedFileType =
      model.detectionOutputs == nil ? .tensorAxisLabels : .tensorValueLabels
    var annotation = annotation
    do throws(MetadataError) {
      annotation.labels = try labels(of: tensor, type: type)?.names
      for file in tensor.associatedFiles where file.type == type {
        let locale = file.locale
        guard !locale.isEmpty,
          !annotation.displayNames.contains(where: { $0.locale == locale }),
          let names = try labels(of: tensor, type: type, locale: locale)?.displayNames
        else { continue }
        annotation.displayNames.append(.init(locale: locale, names: names))
      }
    } catch { throw .metadata(error) }
    return annotation
  }
}

/// Labels and the name of their file.
private struct LabelList {
  let file: String
  let locale: String
  let labels: [String]

  var contents: [UInt8] { labels.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }

  /// The files of an annotation: the labels, then one file for each language.
  static func lists(of annotation: ModelAnnotation) throws(AnnotationError) -> [LabelList] {
    guard let labels = annotation.labels else {
      guard let names = annotation.displayNames.first else { return [] }
      throw .displayNames(locale: names.locale)
    }
    var lists = [LabelList(file: "labels.txt", locale: "", labels: labels)]
    for names in annotation.displayNames {
      guard !names.locale.isEmpty, !names.locale.utf8.contains(UInt8(ascii: "/")),
        names.locale.utf8.count < 64, !lists.contains(where: { $0.locale == names.locale })
      else { throw .displayNames(locale: names.locale) }
      lists.append(
        LabelList(
          file: "labels-\(names.locale).txt", locale: names.locale, labels: names.names))
    }
    for list in lists {
      for (index, label) in list.labels.enumerated() {
        guard !label.utf8.contains(where: { $0 == 10 || $0 == 13 }) else {
          throw .lineBreak(label: index)
        }
      }
    }
    return lists
  }
}

extension Model {
  /// Throws unless each list has one label for each class of `output`.
  fileprivate func check(_ lists: [LabelList], of output: Int) throws(AnnotationError) {
    let tensor = subgraphs[0].tensors[subgraphs[0].outputs[output]]
    // The shapes of a detector's outputs do not contain the number of classes.
    let classes =
      detectionOutputs == nil && tensor.shape.rank > 0
      ? tensor.shape[tensor.shape.rank - 1] : lists[0].labels.count
    for list in lists where list.labels.count != classes {
      throw .labelCount(tensor: tensor.name, found: list.labels.count, classes: classes)
    }
  }
}

extension SubgraphMetadata {
  fileprivate init() {
    self.init(
      name: "", description: "", inputs: [], outputs: [], associatedFiles: [],
      inputProcessUnits: [], outputProcessUnits: [], inputGroups: [], outputGroups: [],
      customMetadata: [])
  }

  /// Adds missing metadata of inputs and outputs: names, and RGB as the color space of images.
  fileprivate mutating func complete(for model: Model) {
    let graph = model.subgraphs[0]
    for index in inputs.count..<max(graph.inputs.count, inputs.count) {
      inputs.append(TensorMetadata(name: graph.tensors[graph.inputs[index]].name))
    }
    for index in outputs.count..<max(graph.outputs.count, outputs.count) {
      var output = TensorMetadata(name: graph.tensors[graph.outputs[index]].name)
      output.content = .feature
      // The operator returns (top, left, bottom, right).
      if index == model.detectionOutputs?.boxes {
        output.content = .boundingBox(
          layout: .boundaries, coordinates: .ratio, order: [1, 0, 3, 2])
      }
      outputs.append(output)
    }
    guard let first = graph.inputs.first, !inputs.isEmpty, inputs[0].content == nil else { return }
    let shape = graph.tensors[first].shape
    if shape.rank == 4, shape[3] == 3 {
      inputs[0].content = .image(colorSpace: .rgb, width: nil, height: nil)
    }
  }

  fileprivate mutating func normalize(
    _ normalization: Normalization, of model: Model
  ) throws(AnnotationError) {
    guard !inputs.isEmpty else { throw .noTensor }
    let count = normalization.means.count
    guard count == 1 || count == 3 else {
      throw .channelCount(tensor: inputs[0].name, count: count)
    }
    inputs[0].replaceUnit(.normalization(normalization))
  }
}

extension TensorMetadata {
  fileprivate init(name: String) {
    self.init(
      name: name, description: "", dimensionNames: [], content: nil, contentAxes: nil,
      processUnits: [], maxima: [], minima: [], associatedFiles: [])
  }

  /// Replaces the process unit of the same kind, or adds one.
  fileprivate mutating func replaceUnit(_ unit: ProcessUnit) {
    processUnits.removeAll { $0.isOfKind(of: unit) }
    processUnits.append(unit)
  }

  /// Replaces the label lists and returns the names of the old files.
  fileprivate mutating func replaceLabels(
    by lists: [LabelList], of type: AssociatedFileType
  ) -> Set<String> {
    let isLabels = { (file: AssociatedFile) in
      file.type == .tensorAxisLabels || file.type == .tensorValueLabels
    }
    let outdated = Set(associatedFiles.filter(isLabels).map { $0.name })
    associatedFiles.removeAll(where: isLabels)
    associatedFiles += lists.map { list in
      AssociatedFile(
        name: list.file, description: "", type: type, locale: list.locale, version: "")
    }
    return outdated
  }
}

extension ProcessUnit {
  fileprivate func isOfKind(of other: ProcessUnit) -> Bool {
    switch (self, other) {
    case (.normalization, .normalization), (.scoreThreshold, .scoreThreshold): true
    default: false
    }
  }
}
