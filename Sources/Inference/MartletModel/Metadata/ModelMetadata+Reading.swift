//===--- ModelMetadata+Reading.swift - reading metadata -------------------===//
//
// The metadata is a FlatBuffer in one of the model's buffers, which the entry `TFLITE_METADATA`
// names.
//
// Contract  Metadata that TensorFlow Lite Support rejects throws: a wrong identifier, two process
//           units of one kind, a normalization that cannot be applied. Unknown values of
//           enumerations are kept as unknown, because newer writers may use them.
//===----------------------------------------------------------------------===//

extension Model {
  /// The name of the entry that holds TensorFlow Lite metadata.
  static let metadataName = "TFLITE_METADATA"
  /// The four characters that name the format: `M001`.
  static let metadataIdentifier: UInt32 = 0x3130_304D

  /// Reads the model's metadata; returns `nil` if it has none.
  ///
  /// - Throws: `MetadataError` if the metadata, or the archive behind the model, is damaged.
  public func readMetadata() throws(MetadataError) -> ModelMetadata? {
    guard let entry = metadata.first(where: { $0.name == Model.metadataName }) else { return nil }
    let archive: AppendedArchive
    do throws(ArchiveError) { archive = try AppendedArchive(bytes: bytes) } catch {
      throw .archive(error)
    }
    let root: MetadataTable
    do throws(FlatBufferError) {
      let buffer = try FlatBuffer(
        bytes, in: buffers[entry.buffer], limits: ModelLimits.flatBuffer)
      root = MetadataTable(table: try buffer.root(identifier: Model.metadataIdentifier))
    } catch { throw .flatBuffer(error) }
    return try ModelMetadata(root, archive: archive)
  }
}

/// A FlatBuffer table that throws `MetadataError`.
private struct MetadataTable: CheckedTable {
  let table: Table

  static func failure(_ error: FlatBufferError) -> MetadataError { .flatBuffer(error) }

  func inner(_ table: Table) -> MetadataTable { MetadataTable(table: table) }

  /// A string; empty if the file has none.
  func text(_ field: Int) throws(MetadataError) -> String { try string(field) ?? "" }

  /// Returns the result of `make` for each table of a vector.
  func map<T>(
    _ field: Int, _ make: (MetadataTable) throws(MetadataError) -> T
  ) throws(MetadataError) -> [T] {
    var values: [T] = []
    for table in try tables(field) ?? [] {
      values.append(try make(MetadataTable(table: table)))
    }
    return values
  }

  func groups(_ field: Int) throws(MetadataError) -> [TensorGroup] {
    try map(field) { table throws(MetadataError) in
      TensorGroup(name: try table.text(0), tensorNames: try table.strings(1) ?? [])
    }
  }

  func files(_ field: Int) throws(MetadataError) -> [AssociatedFile] {
    try map(field) { table throws(MetadataError) in try AssociatedFile(table) }
  }

  func units(_ field: Int) throws(MetadataError) -> [ProcessUnit] {
    var units: [ProcessUnit] = []
    var tags: [UInt8] = []
    for (tag, table) in try map(field, { table throws(MetadataError) in try table.union(0) })
      .compactMap({ $0 })
    {
      if let first = tags.firstIndex(of: tag) {
        throw .repeatedProcessUnit(first: first, second: tags.count)
      }
      tags.append(tag)
      units.append(try ProcessUnit(tag, table))
    }
    return units
  }
}

extension ModelMetadata {
  fileprivate init(_ table: MetadataTable, archive: AppendedArchive) throws(MetadataError) {
    self.init(
      name: try table.text(0), description: try table.text(1), version: try table.text(2),
      author: try table.text(4), license: try table.text(5),
      minimumParserVersion: try table.text(7),
      subgraphs: try table.map(3) { table throws(MetadataError) in try SubgraphMetadata(table) },
      associatedFiles: try table.files(6), archive: archive)
  }
}

extension SubgraphMetadata {
  fileprivate init(_ table: MetadataTable) throws(MetadataError) {
    self.init(
      name: try table.text(0), description: try table.text(1),
      inputs: try table.map(2) { table throws(MetadataError) in try TensorMetadata(table) },
      outputs: try table.map(3) { table throws(MetadataError) in try TensorMetadata(table) },
      associatedFiles: try table.files(4), inputProcessUnits: try table.units(5),
      outputProcessUnits: try table.units(6), inputGroups: try table.groups(7),
      outputGroups: try table.groups(8),
      customMetadata: try table.map(9) { table throws(MetadataError) in
        CustomMetadata(name: try table.text(0), data: try table.uint8s(1) ?? [])
      })
  }
}

extension TensorMetadata {
  fileprivate init(_ table: MetadataTable) throws(MetadataError) {
    let content = try table.table(3)
    let stats = try table.table(5)
    self.init(
      name: try table.text(0), description: try table.text(1),
      dimensionNames: try table.strings(2) ?? [], content: try TensorContent(content),
      contentAxes: try TensorMetadata.axes(content), processUnits: try table.units(4),
      maxima: try stats?.floats(0) ?? [], minima: try stats?.floats(1) ?? [],
      associatedFiles: try table.files(6))
  }

  private static func axes(
    _ content: MetadataTable?
  ) throws(MetadataError) -> ClosedRange<Int>? {
    guard let range = try content?.table(2) else { return nil }
    let first = try range.int32(0)
    let last = try range.int32(1)
    guard first >= 0, first <= last else { throw .contentAxes(first: first, last: last) }
    return first...last
  }
}

extension TensorContent {
  fileprivate init?(_ content: MetadataTable?) throws(MetadataError) {
    guard let (tag, table) = try content?.union(0) else { return nil }
    switch tag {
    case 1: self = .feature
    case 2:
      let size = try table.table(1)
      self = .image(
        colorSpace: ColorSpace(rawValue: try table.uint8(0)) ?? .unknown,
        width: try size?.uint32(0), height: try size?.uint32(1))
    case 3:
      self = .boundingBox(
        layout: BoundingBoxLayout(rawValue: try table.uint8(1)) ?? .unknown,
        coordinates: BoundingBoxCoordinates(rawValue: try table.uint8(2)) ?? .ratio,
        order: try table.uint32s(0) ?? [])
    case 4: self = .audio(sampleRate: try table.uint32(0), channelCount: try table.uint32(1))
    default: self = .other(tag: Int(tag))
    }
  }
}

extension ProcessUnit {
  fileprivate init(_ tag: UInt8, _ table: MetadataTable) throws(MetadataError) {
    switch tag {
    case 1:
      self = .normalization(
        try Normalization(
          means: try table.floats(0) ?? [], standardDeviations: try table.floats(1) ?? []))
    case 2:
      self = .scoreCalibration(
        ScoreCalibration(
          transformation: ScoreTransformation(rawValue: try table.uint8(0)) ?? .identity,
          defaultScore: try table.float(1)))
    case 3: self = .scoreThreshold(try table.float(0))
    case 4: self = .bertTokenizer(vocabularies: try table.files(0))
    case 5:
      self = .sentencePieceTokenizer(
        models: try table.files(0), vocabularies: try table.files(1))
    case 6:
      self = .regexTokenizer(delimiter: try table.text(0), vocabularies: try table.files(1))
    default: self = .other(tag: Int(tag))
    }
  }
}

extension AssociatedFile {
  fileprivate init(_ table: MetadataTable) throws(MetadataError) {
    self.init(
      name: try table.text(0), description: try table.text(1),
      type: AssociatedFileType(rawValue: try table.uint8(2)) ?? .unknown,
      locale: try table.text(3), version: try table.text(4))
  }
}
