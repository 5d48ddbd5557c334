//===--- PublishModelCommand.swift - martlet publish-model ----------------===//
//
//     DIR/NAME-DIGEST.tflite                              the model
//     DIR/NAME.json                                       its manifest
//     DIR/v1beta2/projects/PROJECT/models/NAME:download   its manifest, where Firebase has it
//
// Writes the files that a web server needs to offer a model for download. DIGEST is the beginning
// of the model's SHA-256, so that each version has its own file and address.
//
// Contract  The manifests are written after the model. A client with the previous manifest can still
//           download the previous version, whose file is kept.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletModel

struct PublishModelCommand: Command {
  static let specification = CommandSpecification(
    name: "publish-model",
    summary: "Writes a model and its manifest into the folder of a web server.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification("--output", "DIR", help: "Folder to write (required)"),
      OptionSpecification(
        "--name", "NAME", help: "Name of the model (default: the name of its file)"),
      OptionSpecification("--model-version", "TEXT", help: "Version of the model"),
      OptionSpecification(
        "--firebase", "PROJECT", help: "Also write the manifest for clients of Firebase"),
    ])

  private let path: FilePath
  private let output: FilePath
  private let outputs: Outputs
  private let name: String
  private let version: String?
  private let project: String?

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    output = try arguments.required("--output")
    outputs = Outputs(arguments)
    name = try PublishModelCommand.fileName(
      arguments.path("--name") ?? (path == .standardStream ? "" : path.stem), of: "--name")
    version = arguments["--model-version"]
    project = try arguments.path("--firebase").map { project throws(UsageError) in
      try PublishModelCommand.fileName(project, of: "--firebase")
    }
  }

  /// Returns the value of an option that is part of a file's name and address.
  private static func fileName(
    _ value: FilePath, of option: String
  ) throws(UsageError) -> String {
    let hidden = UInt8(ascii: ".")
    guard let text = String(utf8: value.bytes), !text.isEmpty,
      text.utf8.first != hidden, !text.unicodeScalars.contains(where: isSeparatorOrControl)
    else {
      throw .invalidValue(
        option: option, value: "\(value)",
        expected: "UTF-8 text without slashes and control characters, not beginning with a dot")
    }
    return text
  }

  private static func isSeparatorOrControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == "/"
    }
  }

  func run() -> Int32 {
    do throws(FailedFile) {
      let model = try FailedFile.naming(path) { try readModel() }
      for (path, bytes) in files(of: model) {
        try FailedFile.naming(path) {
          try Files.makeFolder(path.parent)
          try outputs.write(bytes, to: path)
        }
        Streams.show("\(path)")
      }
      return 0
    } catch {
      Streams.failure(error)
      return 1
    }
  }

  /// Reads the file and checks that it is a model.
  private func readModel() throws -> [UInt8] {
    let file = try Files.model(path)
    guard file.count <= Files.defaultLimit else {
      throw FileError.tooLarge(path: path, limit: Files.defaultLimit)
    }
    let bytes = Array(file)
    _ = try Model(bytes: bytes)
    return bytes
  }

  /// The files to write, the model first.
  private func files(of model: [UInt8]) -> [(path: FilePath, bytes: [UInt8])] {
    let digest = SHA256.digest(of: model).hexadecimal
    let modelName = "\(name)-\(digest.prefix(16)).tflite"
    func manifest(_ address: String) -> [UInt8] {
      var members: [(String, JSON)] = [
        ("downloadUri", .string(address)), ("sizeBytes", .string("\(model.count)")),
        ("sha256", .string(digest)),
      ]
      if let version { members.append(("version", .string(version))) }
      return Array("\(JSON.object(members))\n".utf8)
    }
    let address = PublishModelCommand.escaped(modelName)
    var files = [(output / modelName, model), (output / "\(name).json", manifest(address))]
    if let project {
      let path = output / "v1beta2/projects/\(project)/models/\(name):download"
      files.append((path, manifest("../../../../" + address)))
    }
    return files
  }

  /// The percent-encoded name.
  private static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        return String(Unicode.Scalar(byte))
      case _ where "-._~".utf8.contains(byte): return String(Unicode.Scalar(byte))
      default: return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
