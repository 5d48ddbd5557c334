import Foundation
import Martlet
import MartletBase
import MartletHosting
import MartletSystem
import MartletTestSupport
import Synchronization
import Testing

@testable import MartletTool

@Suite(.timeLimit(.minutes(5))) struct ServeModelsTests {
  /// A server for a folder of models.
  final class Bench {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    let server: HTTPServer
    static let classifier = Fixtures.root.appending(path: "Weights/classifier.tflite")
    /// The current time of the server.
    let clock: Clock

    final class Clock: Sendable {
      let now = Mutex(1_795_262_400)  // 2026-11-21T12:00:00Z
    }

    init(digestTimeout: Duration = .seconds(120)) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let clock = Clock()
      self.clock = clock
      let site = ServeModelsSite(
        catalog: ServeModelsCatalog(folder: folder.path, digestTimeout: digestTimeout),
        address: "http://127.0.0.1",
        validity: 3600, now: { clock.now.withLock { $0 } })
      server = try HTTPServer { request, connection throws(SocketError) in
        try connection.send(site.response(to: request), to: request)
      }
      try server.start()
    }

    deinit {
      server.stop()
      try? FileManager.default.removeItem(at: folder)
    }

    func put(_ bytes: [UInt8], _ name: String) throws {
      try Data(bytes).write(to: folder.appending(path: name), options: .atomic)
    }

    /// Status, head and body of the response.
    func ask(
      _ path: String, _ fields: String = "", method: String = "GET"
    ) -> (status: Int, head: String, body: String) {
      let answer = RawClient.ask(
        server.port, "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\(fields)\r\n")
      let parts = answer.components(separatedBy: "\r\n\r\n")
      return (
        Int(answer.dropFirst(9).prefix(3)) ?? 0, parts[0],
        parts.dropFirst().joined(separator: "\r\n\r\n")
      )
    }

    var base: String { "http://127.0.0.1:\(server.port)" }
  }

  static let bytes = Array("a model".utf8)
  static let digest = SHA256.digest(of: bytes).hexadecimal

  @Test func manifestDescribesTheFile() throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, "my birds.tflite")
    let answer = bench.ask("/my%20birds.json")
    #expect(answer.status == 200 && answer.head.contains("ETag: \"\(ServeModelsTests.digest)\""))
    #expect(
      answer.body == """
        {"downloadUri":"my%20birds.tflite","sizeBytes":"7","sha256":"\(ServeModelsTests.digest)"}

        """)
    #expect(bench.ask("/my%20birds.tflite").body == "a model")
    #expect(bench.ask("/my%20birds.tflite", method: "HEAD").body == "")
    #expect(bench.ask("/my%20birds.tflite", "Range: bytes=2-\r\n").body == "model")
    #expect(
      bench.ask("/my%20birds.tflite", "If-None-Match: \"\(ServeModelsTests.digest)\"\r\n").status
        == 304)
    #expect(
      bench.ask("/my%20birds.json", "If-None-Match: \"\(ServeModelsTests.digest)\"\r\n").status
        == 304)
  }

  @Test func firebaseResponseHasFirebaseFormat() throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, "birds.tflite")
    let path = "/v1beta2/projects/any/models/birds:download"
    let answer = bench.ask(path + "?key=k")
    #expect(answer.status == 200 && answer.head.contains("ETag: \"\(ServeModelsTests.digest)\""))
    #expect(
      answer.body == """
        {"downloadUri":"http://127.0.0.1:1/birds.tflite?expires=1795266000",\
        "expireTime":"2026-11-21T13:00:00.000Z","sizeBytes":"7"}

        """)
    let known = "If-None-Match: \"\(ServeModelsTests.digest)\"\r\n"
    let same = bench.ask(path + "?key=k", known)
    #expect(same.status == 304 && same.head.contains("ETag: \"\(ServeModelsTests.digest)\""))
    #expect(bench.ask(path).status == 403)
    #expect(bench.ask(path + "?key=").status == 403)
    #expect(bench.ask("/v1beta2/projects/any/models/trees:download?key=k").status == 404)
    #expect(bench.ask("/birds.tflite?expires=1795266000").status == 200)
    bench.clock.now.withLock { $0 = 1_795_266_000 }
    let late = bench.ask("/birds.tflite?expires=1795266000")
    #expect(late.status == 400 && late.body.contains("\"status\":\"INVALID_ARGUMENT\""))
    #expect(bench.ask("/birds.tflite?expires=never").status == 400)
    #expect(bench.ask("/birds.tflite").status == 200)
  }

  @Test func changedFileIsANewVersion() throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, "birds.tflite")
    #expect(bench.ask("/birds.json").body.contains(ServeModelsTests.digest))
    try bench.put(Array("another".utf8), "birds.tflite")
    #expect(
      bench.ask("/birds.json").body.contains(SHA256.digest(of: Array("another".utf8)).hexadecimal))
  }

  @Test func servesOnlyModelsOfTheFolder() throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, "birds.tflite")
    try bench.put(ServeModelsTests.bytes, "trees.lite")
    try bench.put(ServeModelsTests.bytes, ".hidden.tflite")
    try bench.put(ServeModelsTests.bytes, "secret.txt")
    let inner = bench.folder.appending(path: "inner.tflite")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try bench.put(ServeModelsTests.bytes, "inner.tflite/x.tflite")
    #expect(bench.ask("/").body == "birds\ntrees\n")
    #expect(bench.ask("/trees.tflite").status == 200)
    for path in [
      "/secret.txt", "/.hidden.tflite", "/inner.tflite", "/inner.tflite/x.tflite", "/nobody.tflite",
      "/../\(bench.folder.lastPathComponent)/birds.tflite", "/%2e%2e/etc/passwd.tflite",
      "/birds.tflite/", "//birds.tflite", "/birds.tflite%00", "/v1beta2/projects/a/models/birds",
      "/v1beta2/projects/a/models/../birds:download?key=k", "/.json", "/.tflite",
    ] { #expect(bench.ask(path).status == 404, "\(path)") }
    #expect(bench.ask("/birds.tflite", method: "DELETE").status == 405)
  }

  @Test func followsOnlyLinksInsideTheFolder() throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, "birds.tflite")
    for (name, target) in [
      ("inside", "birds.tflite"), ("outside", Bench.classifier.path), ("passwd", "/etc/passwd"),
      ("loop", "loop.tflite"), ("nowhere", "none"), ("up", "..//"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: bench.folder.path + "/\(name).tflite", withDestinationPath: target)
    }
    #expect(bench.ask("/").body == "birds\ninside\n")
    for name in ["outside", "passwd", "loop", "nowhere", "up"] {
      #expect(bench.ask("/\(name).tflite").status == 404, "\(name)")
      #expect(bench.ask("/\(name).json").status == 404, "\(name)")
    }
  }

  @Test func pipeIsNotServed() throws {
    let bench = try Bench()
    #expect(mkfifo(bench.folder.path + "/pipe.tflite", 0o644) == 0)
    #expect(bench.ask("/").body == "\n" && bench.ask("/pipe.tflite").status == 404)
  }

  @Test(arguments: ["a\nb", "a\r", "\u{1B}[2J", "a\u{85}b", "a\u{2028}b", "\u{7F}"])
  func namesWithControlCharactersAreNotServed(_ name: String) throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, name + ".tflite")
    try bench.put(ServeModelsTests.bytes, "birds.tflite")
    #expect(bench.ask("/").body == "birds\n")
    let path = name.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(bench.ask("/\(path).tflite").status == 404)
  }

  @Test func requestBeforeDigestGetsRetryAfter() throws {
    let bench = try Bench(digestTimeout: .zero)
    try bench.put([UInt8](repeating: 1, count: 16 << 20), "birds.tflite")
    let early = bench.ask("/birds.json")
    #expect(early.status == 503 && early.head.contains("\r\nRetry-After: 1\r\n"))
    #expect(early.body.contains("\"the SHA-256 of the model is being computed\""))
    // Other requests are answered in the meantime.
    #expect(bench.ask("/").body == "birds\n" && bench.ask("/trees.json").status == 404)
    var answer = early
    for _ in 0..<1200 where answer.status == 503 {
      Thread.sleep(forTimeInterval: 0.05)
      answer = bench.ask("/birds.json")
    }
    #expect(answer.status == 200)
  }

  @Test func digestsCanBeComputedInAdvance() throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, "birds.tflite")
    let catalog = ServeModelsCatalog(folder: bench.folder.path, digestTimeout: .zero)
    catalog.computeDigests()
    #expect(try catalog.entry("birds")?.digest.hexadecimal == ServeModelsTests.digest)
  }

  @Test func invalidHostIsNotEchoed() throws {
    let bench = try Bench()
    try bench.put(ServeModelsTests.bytes, "birds.tflite")
    let answer = RawClient.ask(
      bench.server.port,
      "GET /v1beta2/projects/p/models/birds:download?key=k HTTP/1.1\r\nHost: a\"b/c\r\n\r\n")
    #expect(answer.contains("\"http://127.0.0.1/birds.tflite?"))
  }

  @Test func missingFolderIsAServerError() throws {
    let bench = try Bench()
    try FileManager.default.removeItem(at: bench.folder)
    #expect(bench.ask("/birds.json").status == 500)
  }

  /// The complete process with both protocols: serve, download, check, use.
  @Test(arguments: [true, false])
  func servedModelCanBeDownloaded(_ isFirebase: Bool) async throws {
    let bench = try Bench()
    let file = try Fixtures.bytes(of: Bench.classifier)
    try bench.put(file, "labeler.tflite")
    bench.clock.now.withLock { $0 = Int(Date().timeIntervalSince1970) }
    let store = bench.folder.appending(path: "store")
    var configuration = HostingConfiguration(directory: store)
    configuration.firebase = FirebaseConfiguration(
      projectID: "p", apiKey: "k", baseURL: bench.base)
    let manager = ModelManager(configuration: configuration)
    let url = try #require(URL(string: bench.base + "/labeler.json"))
    let model = CustomRemoteModel(
      remoteModelSource: isFirebase
        ? FirebaseModelSource(name: "labeler")
        : HTTPModelSource(name: "labeler", manifestURL: url))
    let local = try await manager.model(model)
    #expect(try Fixtures.bytes(of: URL(filePath: local.path)) == file)
    #expect(try await manager.model(model) == local)
    #expect(manager.version(of: model)?.sha256 == SHA256.digest(of: file).hexadecimal)
  }

  @Test func commandChecksItsArguments() throws {
    #expect(MartletTool.run(["serve-models"]) == 2)
    #expect(MartletTool.run(["serve-models", "/tmp", "--port", "65536"]) == 2)
    #expect(MartletTool.run(["serve-models", "/nowhere"]) == 1)
    #expect(MartletTool.run(["serve-models", "/tmp", "--host", "nowhere", "--port", "0"]) == 1)
  }
}
