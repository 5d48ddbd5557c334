//===--- Model+Reading.swift - reading a model from its file --------------===//
//
// Reads the root of the file, in the order in which parts refer to each other: version, operator
// codes, buffers, subgraphs, metadata, signatures.
//
// Contract  Throws for every invalid file that LiteRT refuses to load, and for every index out of
//           range. Checks that depend on kernels are left to the code that runs the model: required
//           options, matching shapes, order of operators.
// Cost      Proportional to the tables. Constants are not copied; only their sizes are checked.
//===----------------------------------------------------------------------===//

import MartletBase

extension Model {
  /// The four characters that identify the format: `TFL3`.
  static let identifier: UInt32 = 0x334C_4654
  /// The name of a model in `FileSignature`.
  private static let formatName = "a TensorFlow Lite model"
  /// The supported schema version.
  static let supportedVersion = 3

  /// Reads a model from the bytes of a `.tflite` file, or of a `.task` file with one model; bytes after
  /// the model, such as an archive, are ignored.
  ///
  /// - Throws: `ModelError` if the file is damaged or its contents are invalid.
  /// - Complexity: O(*n*) in the number of tensors, operators and quantization parameters.
  public init(bytes: [UInt8]) throws(ModelError) { try self.init(FileBytes(bytes)) }

  /// Reads a model from the bytes of a `.tflite` or `.task` file, in an array or a memory-mapped file.
  package init(_ file: FileBytes) throws(ModelError) {
    let bytes = try Model.unpacked(file)
    let root: SchemaTable
    do throws(FlatBufferError) {
      let buffer = try FlatBuffer(
        bytes, in: 0..<bytes.count, limits: ModelLimits.flatBuffer)
      root = SchemaTable(table: try buffer.root(identifier: Model.identifier), place: .model)
    } catch {
      try Model.checkFormat((0..<min(bytes.count, FileSignature.modelLength)).map { bytes[$0] })
      throw .flatBuffer(error)
    }

    let version = try root.uint32(0)
    guard version == Model.supportedVersion else {
      throw .version(found: version, expected: Model.supportedVersion)
    }
    let codes = try root.operatorCodes(1)
    let buffers = try root.buffers(4, fileSize: bytes.count)
    let tables = try root.tables(2) { .subgraph($0) }
    guard !tables.isEmpty else { throw .missing(.subgraphs, .model) }
    var subgraphs: [Subgraph] = []
    subgraphs.reserveCapacity(tables.count)
    for (index, table) in tables.enumerated() {
      let context = SubgraphContext(
        index: index, subgraphCount: tables.count, codes: codes, buffers: buffers,
        fileSize: bytes.count)
      subgraphs.append(try Subgraph(table, in: context))
    }
    self.init(
      bytes: bytes, version: version, description: try root.string(3) ?? "", subgraphs: subgraphs,
      buffers: buffers, metadata: try root.metadata(6, bufferCount: buffers.count),
      signatures: try root.signatures(7, subgraphs: subgraphs))
  }
}

extension Model {
  /// The number of bytes at the start of a file that are needed to identify its format.
  package static let signatureLength = FileSignature.modelLength

  /// Throws if the first bytes of a file are those of another format, so that the rest need not be
  /// read. `bytes` has at least `signatureLength` bytes, unless the file is shorter.
  package static func checkBeginning(_ bytes: [UInt8]) throws(ModelError) {
    if bytes.dropFirst(4).starts(with: "TFL3".utf8) || mayBeArchive(bytes) { return }
    try checkFormat(Array(bytes.prefix(signatureLength)))
    _ = try Model(bytes: Array(bytes.prefix(8)))
  }

  /// Throws `ModelError.format` if the bytes are the start of another known format.
  private static func checkFormat(_ beginning: [UInt8]) throws(ModelError) {
    if let format = FileSignature.of(beginning), format.name != formatName {
      throw .format(format.name)
    }
  }
}

/// The parts of the model that a subgraph refers to.
struct SubgraphContext {
  let index: Int
  let subgraphCount: Int
  let codes: [VersionedOperatorCode]
  let buffers: [Range<Int>]
  let fileSize: Int
}

/// An entry of the file's list of operators.
struct VersionedOperatorCode {
  let code: OperatorCode
  let version: Int
}

extension SchemaTable {
  /// The number of CUSTOM in the schema's list of operators; it is not itself an operator.
  private static let customCode = 32

  fileprivate func operatorCodes(_ field: Int) throws(ModelError) -> [VersionedOperatorCode] {
    var codes: [VersionedOperatorCode] = []
    for (index, table) in try tables(field, at: { .operatorCode($0) }).enumerated() {
      // The older field has only one byte; writers fill either field, or both.
      let number = max(try table.int8(0), try table.int32(3))
      codes.append(
        VersionedOperatorCode(
          code: try table.operatorCode(number, index: index),
          version: try table.int32(2, default: 1)))
    }
    return codes
  }

  private func operatorCode(_ number: Int, index: Int) throws(ModelError) -> OperatorCode {
    if number == SchemaTable.customCode {
      guard let name = try string(1) else { throw .missing(.customCode, place) }
      return .custom(name)
    }
    guard let code = Int32(exactly: number), let builtin = BuiltinOperator(rawValue: code) else {
      throw .unknownOperator(index: index, code: number)
    }
    return .builtin(builtin)
  }

  fileprivate func buffers(_ field: Int, fileSize: Int) throws(ModelError) -> [Range<Int>] {
    var buffers: [Range<Int>] = []
    for table in try tables(field, at: { .buffer($0) }) {
      buffers.append(try table.bytes(0, orOutside: 1, fileSize: fileSize))
    }
    // Buffer 0 means no data, even if the file does not list it.
    return buffers.isEmpty ? [0..<0] : buffers
  }

  /// The range of a byte vector in the file. If there is none, the range is given by the offset in
  /// field `outside` and the size in the next field, as in files above two gigabytes. It is empty
  /// if there is neither: offsets 0 and 1 mean none.
  func bytes(
    _ field: Int, orOutside outside: Int, fileSize: Int
  ) throws(ModelError) -> Range<Int> {
    if let range = try bytes(field) { return range }
    let offset = try uint64(outside)
    let count = try uint64(outside + 1)
    guard offset > 1 else { return 0..<0 }
    guard offset <= UInt64(fileSize), count <= UInt64(fileSize) - offset else {
      throw .outsideFile(place, offset: offset, count: count, fileSize: fileSize)
    }
    return Int(offset)..<Int(offset) + Int(count)
  }

  /// Like `bytes(_:orOutside:fileSize:)`; counts the bytes, since operators may share them.
  func sharedBytes(
    _ field: Int, orOutside outside: Int, fileSize: Int
  ) throws(ModelError) -> Range<Int> {
    let range = try bytes(field, orOutside: outside, fileSize: fileSize)
    try countData(range)
    return range
  }

  fileprivate func metadata(
    _ field: Int, bufferCount: Int
  ) throws(ModelError) -> [MetadataEntry] {
    var entries: [MetadataEntry] = []
    for table in try tables(field, at: { .metadata($0) }) {
      let buffer = try table.uint32(1)
      try table.check(buffer, of: .buffer, count: bufferCount)
      entries.append(MetadataEntry(name: try table.string(0) ?? "", buffer: buffer))
    }
    return entries
  }

  fileprivate func signatures(
    _ field: Int, subgraphs: [Subgraph]
  ) throws(ModelError) -> [Signature] {
    var signatures: [Signature] = []
    for table in try tables(field, at: { .signature($0) }) {
      guard let key = try table.string(2) else { throw .missing(.signatureKey, table.place) }
      let subgraph = try table.uint32(4)
      try table.check(subgraph, of: .subgraph, count: subgraphs.count)
      let count = subgraphs[subgraph].tensors.count
      signatures.append(
        Signature(
          key: key, subgraph: subgraph, inputs: try table.signatureTensors(0, tensorCount: count),
          outputs: try table.signatureTensors(1, tensorCount: count)))
    }
    return signatures
  }

  private func signatureTensors(
    _ field: Int, tensorCount: Int
  ) throws(ModelError) -> [SignatureTensor] {
    var tensors: [SignatureTensor] = []
    for table in try tables(field, at: { _ in place }) {
      let tensor = try table.uint32(1)
      try table.check(tensor, of: .tensor, count: tensorCount)
      tensors.append(SignatureTensor(name: try table.string(0) ?? "", tensor: tensor))
    }
    return tensors
  }
}
