//===--- HostingBench.swift - a server, a store and a manager for a test --===//
//
// A real local server whose responses a test scripts: complete, truncated, delayed or wrong.
//===----------------------------------------------------------------------===//

import Foundation
import Martlet
import MartletBase
import MartletTestServer
import MartletTestSupport
import Testing

@testable import MartletHosting

/// A server with scripted responses.
final class ScriptedServer: Sendable {
  typealias Script =
    @Sendable (RequestHead, Int, HTTPConnection) throws(SocketError) -> Bool

  private let server: HTTPServer
  private let requestLog: Log

  /// - Parameter script: Answers a request. The number counts earlier requests with the same path.
  init(_ script: @escaping Script) throws {
    let log = Log()
    server = try HTTPServer { request, connection throws(SocketError) in
      try script(request, log.add(request), connection)
    }
    self.requestLog = log
    server.start()
  }

  private final class Log: Sendable {
    let requests = Mutex<[RequestHead]>([])

    func add(_ request: RequestHead) -> Int {
      requests.withLock { requests in
        defer { requests.append(request) }
        return requests.count { $0.path == request.path }
      }
    }
  }

  deinit { server.stop() }

  /// All requests in the order of arrival.
  var requests: [RequestHead] { requestLog.requests.withLock { $0 } }

  func requests(_ path: String) -> [RequestHead] { requests.filter { $0.path == path } }

  var port: UInt16 { server.port }

  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
  }
}

extension HTTPConnection {
  /// Announces `count` bytes, sends `bytes`, and closes the connection.
  func cut(
    _ status: String = "200 OK", _ fields: String = "", announcing count: Int,
    sending bytes: [UInt8]
  ) throws(SocketError) -> Bool {
    try send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(count)\r\n\(fields)\r\n".utf8))
    try send(bytes)
    return false
  }
}

/// A semaphore that opens for one waiter at a time.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Waits for at most half a minute, which is less than a test's time limit.
  func waitUntilOpen() { _ = semaphore.wait(timeout: .now() + 30) }

  /// The same for tasks, whose threads must not block.
  func waitInTask() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        waitUntilOpen()
        continuation.resume()
      }
    }
  }
}

/// A folder and the configuration for tests of downloads.
final class HostingBench: Sendable {
  let folder: URL
  let pauses = Mutex<[TimeInterval]>([])
  /// Files that begin with this byte are rejected as models.
  static let bad: UInt8 = 0xBD

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "martlet-hosting-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A configuration that accepts every file that does not begin with `bad`, and does not wait.
  func configuration(
    _ change: (inout HostingConfiguration) -> Void = { _ in }
  ) -> HostingConfiguration {
    var configuration = HostingConfiguration(directory: folder.appending(path: "store"))
    configuration.acceptance = ModelAcceptance { path throws(VisionError) in
      if SystemFile.read(path)?.first == HostingBench.bad {
        throw .unsuitable(.normalization(tensor: "image"))
      }
    }
    configuration.clock.sleep = { [weak self] duration in
      self?.pauses.withLock { $0.append(duration) }
      try Task.checkCancellation()
    }
    change(&configuration)
    return configuration
  }

  func manager(_ change: (inout HostingConfiguration) -> Void = { _ in }) -> ModelManager {
    ModelManager(configuration: configuration(change))
  }

  /// The recorded pauses in seconds.
  var waited: [Int] { pauses.withLock { $0.map { Int($0) } } }

  /// The content of the current version.
  func stored(_ model: RemoteModel) -> [UInt8]? {
    SystemFile.read(modelFolder(model).modelPath).map { Array($0) }
  }

  func modelFolder(_ model: RemoteModel) -> ModelFolder {
    ModelFolder(
      of: model,
      in: configuration {
        $0.firebase = FirebaseConfiguration(projectID: "my-project", apiKey: "key")
      })
  }

  /// Overwrites the first bytes of the current version's file.
  func damage(_ model: RemoteModel) throws {
    let file = try FileHandle(
      forWritingTo: URL(filePath: modelFolder(model).modelPath).resolvingSymlinksInPath())
    try file.write(contentsOf: Data("twelve bytes".utf8))
    try file.close()
  }

  /// Pseudorandom bytes from a seed.
  static func bytes(_ seed: UInt64, count: Int = 300_000) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    bytes[0] = 1
    return bytes
  }

  static func fileModel(_ server: ScriptedServer, sha256: String? = nil) -> CustomRemoteModel {
    CustomRemoteModel(
      remoteModelSource: HTTPModelSource(
        name: "birds", modelURL: server.url("/birds.tflite"), sha256: sha256))
  }

  static func manifestModel(_ server: ScriptedServer) -> CustomRemoteModel {
    CustomRemoteModel(
      remoteModelSource: HTTPModelSource(name: "birds", manifestURL: server.url("/birds.json")))
  }
}

/// A served file that a test can replace.
final class Offer: Sendable {
  private let file: Mutex<OfferedFile>

  init(_ bytes: [UInt8], _ tag: String) { file = Mutex(OfferedFile(bytes: bytes, tag: tag)) }

  var current: OfferedFile { file.withLock { $0 } }

  func replace(_ bytes: [UInt8], _ tag: String) {
    file.withLock { $0 = OfferedFile(bytes: bytes, tag: tag) }
  }
}
