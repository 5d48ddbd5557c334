import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct RemoteModelTests {
  @Test func modelsOfTheSameSourceAreEqual() throws {
    let url = try #require(URL(string: "https://example.com/birds.json"))
    func model() -> RemoteModel {
      CustomRemoteModel(remoteModelSource: HTTPModelSource(name: "birds", manifestURL: url))
    }
    #expect(model() == model() && model().hashValue == model().hashValue)
    #expect(model().name == "birds")
    let firebase = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "birds"))
    #expect(model() != firebase)
    #expect(firebase == CustomRemoteModel(name: "birds"))
    #expect(firebase != CustomRemoteModel(name: "trees"))
  }

  /// The manifest, and a server without digest or tag, so that the address identifies the file.
  @Test(arguments: ["birds.json", "birds.tflite"])
  func storeContainsNoPassword(_ path: String) async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      if request.path == "/birds.json" {
        let uri = "http://user:s3cret@\(request.fields["Host"] ?? "")/birds.tflite"
        let body = Array("{\"downloadUri\": \"\(uri)\"}".utf8)
        return try connection.send(HTTPResponse(200, [:], body: body), to: request)
      }
      // Truncated, so that a partial file and its record are kept.
      return try connection.cut(announcing: 300_000, sending: HostingBench.bytes(1).dropLast(9))
    }
    let url = try #require(
      URL(string: "http://user:s3cret@127.0.0.1:\(server.port)/\(path)"))
    let source =
      path.hasSuffix("json")
      ? HTTPModelSource(name: "birds", manifestURL: url)
      : HTTPModelSource(name: "birds", modelURL: url)
    let manager = bench.manager()
    let model = CustomRemoteModel(remoteModelSource: source)
    do throws(ModelHostingError) {
      _ = try await manager.model(model)
      Issue.record("a truncated download succeeded")
    } catch { #expect(!"\(error)\(String(reflecting: error))".contains("s3cret")) }
    let folder = bench.modelFolder(model)
    let version = ModelFolderTests.Bench().version("one")
    try SystemFile.write(Array("one".utf8), to: folder.partialPath + ".one")
    try folder.install(
      folder.partialPath + ".one",
      as: ModelVersion(
        name: "birds", sizeBytes: version.sizeBytes, sha256: version.sha256, version: nil,
        source: folder.source, entityTag: nil, lastModified: nil))
    #expect(manager.isModelDownloaded(model))
    let files = FileManager.default.subpaths(atPath: bench.folder.path) ?? []
    #expect(files.contains { $0.hasSuffix("version.json") })
    #expect(files.contains { $0.hasSuffix("partial.json") })
    for file in files where file.hasSuffix(".json") {
      let text = SystemFile.read(bench.folder.path + "/" + file).map {
        String(decoding: $0, as: UTF8.self)
      }
      #expect(text?.contains("s3cret") == false, "\(file)")
    }
  }

  @Test func conditionsAreEqualByValue() throws {
    let plain = ModelDownloadConditions()
    #expect(plain.allowsCellularAccess && !plain.allowsBackgroundDownloading)
    let same = ModelDownloadConditions(
      allowsCellularAccess: true, allowsBackgroundDownloading: false)
    #expect(plain == same && plain.hash == same.hash)
    #expect(plain.copy() as? ModelDownloadConditions == plain)
    #expect(
      plain
        != ModelDownloadConditions(allowsCellularAccess: false, allowsBackgroundDownloading: false))
    #expect(!plain.isEqual("plain"))
  }

  @Test func defaultDirectoryIsTheCacheFolder() {
    let path = HostingConfiguration.defaultDirectory.path
    #expect(path.hasSuffix("/martlet/models") && path.hasPrefix("/"))
    #if !canImport(Darwin)
      for (environment, folder) in [
        (["XDG_CACHE_HOME": "/c", "HOME": "/h"], "/c"), (["HOME": "/h"], "/h/.cache"),
        (["XDG_CACHE_HOME": "c", "HOME": "/h"], "/h/.cache"),
        (["XDG_CACHE_HOME": "", "HOME": "h"], NSHomeDirectory() + "/.cache"),
      ] { #expect(HostingConfiguration.cacheFolder(environment) == folder) }
    #endif
    #expect(ModelManager.modelManager() === ModelManager.modelManager())
    #expect(ModelManager.modelManager(app: NSObject()) === ModelManager.modelManager())
  }
}
