//===--- FileSignature+Models.swift - formats mistaken for models ---------===//
//
// Files that are mistaken for a TensorFlow Lite model: models of other frameworks, and what a
// failed download leaves. The format's name says how to get the model.
//
// Contract  Reads at most the first 128 bytes. Protocol buffers have no signature: ONNX, Core ML
//           and TensorFlow files are recognized by the order of their first fields.
// Source    onnx.proto (ModelProto), Model.proto of Core ML, saved_model.proto and graph.proto of
//           TensorFlow, torch.save, the Git LFS specification.
//===----------------------------------------------------------------------===//

extension FileSignature {
  /// The format of a file that starts with `bytes` and is often mistaken for a model.
  static func ofModel(_ bytes: some RandomAccessCollection<UInt8>) -> FileSignature? {
    let bytes = Array(bytes.prefix(modelLength))
    if bytes.starts(with: "version https://git-lfs".prefix(length).utf8) { return lfsPointer }
    if bytes.starts(with: [0x80, 2, 0x8A, 0x0A, 0x6C, 0xFC]) { return torch }
    if bytes.starts(with: "PK\u{3}\u{4}".utf8) { return ofArchive(bytes) }
    return isPage(bytes) ? page : ofMessage(bytes)
  }

  /// The format of a zip archive whose first file belongs to a model.
  private static func ofArchive(_ bytes: [UInt8]) -> FileSignature? {
    guard bytes.count > 30 else { return nil }
    let name = String(decoding: bytes.dropFirst(30).prefix(Int(bytes[26])), as: UTF8.self)
    if name.hasSuffix("/data.pkl") { return torch }
    return ["metadata.json", "config.json", "model.weights.h5"].contains(name) ? keras : nil
  }

  /// Whether HTML follows white space and a byte order mark.
  private static func isPage(_ bytes: [UInt8]) -> Bool {
    let text = bytes.drop { $0 <= 0x20 || $0 >= 0x80 }.prefix(9)
      .map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    return text.starts(with: "<!doctype".utf8) || text.starts(with: "<html".utf8)
  }

  /// The format of a protocol buffer: a version, followed by a text or a message.
  private static func ofMessage(_ bytes: [UInt8]) -> FileSignature? {
    guard bytes.count >= 8 else { return nil }
    // GraphDef: node { name: text, op: text }.
    if bytes[0] == 0x0A { return isNode(bytes.dropFirst(1)) ? graph : nil }
    guard bytes[0] == 8, (1...32).contains(bytes[1]) else { return nil }
    // An ONNX model without a producer: version, then domain, graph or operator sets.
    if [0x1A, 0x22, 0x3A, 0x42].contains(bytes[2]) { return onnx }
    guard bytes[2] == 0x12 else { return nil }
    let content = contents(bytes.dropFirst(3))
    switch content.first {
    case 0x0A:
      // The first input of a Core ML model starts with its name, the first graph of a SavedModel
      // does not.
      return bytes[1] == 1 && contents(content.dropFirst()).first != 0x0A ? savedModel : coreML
    case 0xA2: return coreML
    case .some(0x21...0x7E): return onnx
    default: return nil
    }
  }

  /// The bytes after a length.
  private static func contents(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.drop { $0 >= 0x80 }.dropFirst()
  }

  private static func isNode(_ bytes: ArraySlice<UInt8>) -> Bool {
    let node = contents(bytes)
    guard node.first == 0x0A, let count = node.dropFirst().first else { return false }
    return node.dropFirst(2 + Int(count)).first == 0x12
  }

  private static let lfsPointer = FileSignature(
    "a Git LFS pointer, not the file itself (run git lfs pull)", "")
  private static let page = FileSignature(
    "an HTML page (download the file itself, not the page that shows it)", "")
  private static let torch = FileSignature("a PyTorch model (litert-torch converts it)", "")
  static let hdf5 = FileSignature("an HDF5 file (Keras; TFLiteConverter converts it)", "")
  private static let keras = FileSignature("a Keras model (TFLiteConverter converts it)", "")
  private static let onnx = FileSignature("an ONNX model (onnx2tf converts it)", "")
  private static let coreML = FileSignature(
    "a Core ML model (convert the model that it was made from)", "")
  private static let savedModel = FileSignature(
    "a TensorFlow SavedModel (TFLiteConverter converts its folder)", "")
  private static let graph = FileSignature(
    "a TensorFlow graph (TFLiteConverter converts it)", "")
}
