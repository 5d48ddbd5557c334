import Foundation
import Martlet
import MartletBase
import MartletCommandLine
import MartletHosting
import MartletTestServer
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite(.timeLimit(.minutes(5))) struct PublishModelCommandTests {
  let folder = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path)
  static let classifier = FilePath(Fixtures.root.appending(path: "Weights/classifier.tflite").path)
  /// Another model.
  static let localizer = FilePath(Fixtures.root.appending(path: "Weights/localizer.tflite").path)

  private func removeFolder() { try? FileManager.default.removeItem(atPath: "\(folder)") }

  private func publish(_ model: FilePath, _ words: FilePath...) -> Int32 {
    MartletTool.run(words: ["publish-model", model, "--output", folder / "site"] + words)
  }

  @Test func manifestDescribesTheFile() throws {
    defer { removeFolder() }
    #expect(publish(Self.classifier, "--name", "my birds:é", "--model-version", "3") == 0)
    let bytes = try Files.read(Self.classifier)
    let digest = SHA256.digest(of: bytes).hexadecimal
    let name = "my birds:é-\(digest.prefix(16)).tflite"
    #expect(try Files.list(folder / "site") == [FilePath(name), "my birds:é.json"])
    #expect(try Files.read(folder / "site" / name) == bytes)
    let manifest = try Files.read(folder / "site/my birds:é.json")
    #expect(
      String(decoding: manifest, as: UTF8.self) == """
        {"downloadUri":"my%20birds%3A%C3%A9-\(digest.prefix(16)).tflite",\
        "sizeBytes":"\(bytes.count)","sha256":"\(digest)","version":"3"}

        """)
  }

  @Test func nameIsThatOfTheFileByDefault() throws {
    defer { removeFolder() }
    #expect(publish(Self.classifier) == 0)
    #expect(Files.kind(folder / "site/classifier.json") == .regular)
    #expect(MartletTool.run(["publish-model", "-", "--output", "\(folder)/site"]) == 2)
  }

  @Test func earlierVersionIsKept() throws {
    defer { removeFolder() }
    for model in [Self.classifier, Self.localizer, Self.classifier] {
      #expect(publish(model, "--name", "birds") == 0)
      let manifest = try JSON(parsing: Files.read(folder / "site/birds.json"))
      let uri: String = try JSONReader(manifest).value("downloadUri")
      #expect(try Files.read(folder / "site" / uri) == Files.read(model))
    }
    #expect(try Files.list(folder / "site").count == 3)
  }

  @Test(
    arguments: [
      "", ".", "..", ".hidden", "a/b", "a\nb", "a\r", "\u{1B}[2J", "a\u{85}b", "a\u{2028}b",
      FilePath(bytes: [0x61, 0xE9]),
    ] as [FilePath], ["--name", "--firebase"])
  func refusesNamesUnfitForAddresses(_ name: FilePath, _ option: String) throws {
    defer { removeFolder() }
    #expect(publish(Self.classifier, FilePath(option), name) == 2)
    #expect(Files.kind(folder) == nil)
  }

  @Test func outputIsRequired() {
    #expect(MartletTool.run(words: ["publish-model", Self.classifier]) == 2)
    #expect(MartletTool.run(["publish-model", "--output", "\(folder)"]) == 2)
  }

  /// A file that is missing, no model, a model without its end, and larger than the limit.
  @Test func refusesFilesThatAreNoModels() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    try Files.write(Array("a model".utf8), to: folder / "text")
    try Files.write(Array(try Files.read(Self.localizer).prefix(1000)), to: folder / "cut")
    try Files.write(Array(try Files.read(Self.localizer).prefix(1000)), to: folder / "sparse")
    let file = try #require(FileHandle(forWritingAtPath: "\(folder)/sparse"))
    try file.truncate(atOffset: 12_000_000_000)
    for name in ["none", "text", "cut", "sparse"] {
      #expect(publish(folder / name, "--name", "birds") == 1, "\(name)")
    }
    #expect(Files.kind(folder / "site") == nil)
  }

  /// Not even if the model is at a place that the command would write.
  @Test(arguments: ["birds.json", "v1beta2/projects/p/models/birds:download"])
  func modelIsNotOverwritten(_ name: String) throws {
    defer { removeFolder() }
    let model = folder / "site" / name
    try Files.makeFolder(model.parent)
    try Files.write(try Files.read(Self.classifier), to: model)
    #expect(publish(model, "--name", "birds", "--firebase", "p") == 1)
    #expect(try Files.read(model) == Files.read(Self.classifier))
  }

  /// Publish, serve, download and check; then the same with another version.
  @Test(arguments: [true, false])
  func publishedModelCanBeDownloaded(_ isFirebase: Bool) async throws {
    defer { removeFolder() }
    #expect(publish(Self.classifier, "--name", "my birds", "--firebase", "a.p") == 0)
    let site = OfferedFolder(URL(filePath: "\(folder)/site"))
    let server = try HTTPServer { request, connection throws(SocketError) in
      try connection.send(site.response(request), to: request)
    }
    server.start()
    defer { server.stop() }
    let base = "http://127.0.0.1:\(server.port)"
    var configuration = HostingConfiguration(directory: URL(filePath: "\(folder)/store"))
    configuration.acceptance = .anyModel
    configuration.firebase = FirebaseConfiguration(projectID: "a.p", apiKey: "k", baseURL: base)
    let manager = ModelManager(configuration: configuration)
    let url = try #require(URL(string: base + "/my%20birds.json"))
    let model = CustomRemoteModel(
      remoteModelSource: isFirebase
        ? FirebaseModelSource(name: "my birds")
        : HTTPModelSource(name: "my birds", manifestURL: url))
    let first = try await manager.model(model)
    #expect(try Files.read(first.path) == Files.read(Self.classifier))
    #expect(try await manager.model(model) == first)
    #expect(publish(Self.localizer, "--name", "my birds", "--firebase", "a.p") == 0)
    let second = try await manager.model(model)
    #expect(try Files.read(second.path) == Files.read(Self.localizer))
  }
}
