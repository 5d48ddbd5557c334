import Foundation
import MartletBase
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct ResumeTests {
  static let bytes = HostingBench.bytes(4)
  static let other = HostingBench.bytes(5)
  static let cut = 120_000

  /// A server that truncates its first response and afterwards serves `file`, the same one by
  /// default.
  static func server(
    _ fields: String = "ETag: \"1\"\r\n",
    then file: OfferedFile = OfferedFile(bytes: Self.bytes, tag: "1")
  ) throws -> ScriptedServer {
    try ScriptedServer { request, number, connection throws(SocketError) in
      if number == 0 {
        return try connection.cut(
          "200 OK", fields, announcing: Self.bytes.count, sending: Array(Self.bytes[..<Self.cut]))
      }
      return try connection.send(file.response(request), to: request)
    }
  }

  @Test func continuesInterruptedDownload() async throws {
    let bench = try HostingBench()
    let server = try ResumeTests.server()
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(bench.stored(model) == ResumeTests.bytes)
    #expect(server.requests.count == 2)
    #expect(server.requests[1].fields["Range"] == "bytes=\(ResumeTests.cut)-")
    #expect(server.requests[1].fields["If-Range"] == "\"1\"")
  }

  @Test func restartsDownloadOfChangedFile() async throws {
    let bench = try HostingBench()
    let server = try ResumeTests.server(then: OfferedFile(bytes: ResumeTests.other, tag: "2"))
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(bench.stored(model) == ResumeTests.other && server.requests.count == 2)
  }

  @Test func dateIdentifiesVersionWithoutTag() async throws {
    let bench = try HostingBench()
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try ResumeTests.server("Last-Modified: \(date)\r\n")
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(server.requests[1].fields["If-Range"] == date)
    #expect(bench.stored(model) == ResumeTests.bytes)
  }

  @Test(arguments: ["", "ETag: W/\"1\"\r\n"])
  func restartsDownloadWithoutTagOrDate(_ fields: String) async throws {
    let bench = try HostingBench()
    let server = try ResumeTests.server(fields)
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(server.requests[1].fields["Range"] == nil)
    #expect(bench.stored(model) == ResumeTests.bytes)
  }

  @Test func detectsSameFileByDigest() async throws {
    let bench = try HostingBench()
    let server = try ResumeTests.server("")
    let model = HostingBench.fileModel(
      server, sha256: SHA256.digest(of: ResumeTests.bytes).hexadecimal)
    _ = try await bench.manager().model(model)
    #expect(server.requests[1].fields["Range"] == "bytes=\(ResumeTests.cut)-")
    #expect(server.requests[1].fields["If-Range"] == nil)
    #expect(bench.stored(model) == ResumeTests.bytes)
  }

  @Test func restartsOnceIfPartsAreOfDifferentVersions() async throws {
    let bench = try HostingBench()
    // The server truncates the old version and continues with the new one.
    let server = try ResumeTests.server("", then: OfferedFile(bytes: ResumeTests.other, tag: "2"))
    let model = HostingBench.fileModel(
      server, sha256: SHA256.digest(of: ResumeTests.other).hexadecimal)
    _ = try await bench.manager().model(model)
    #expect(server.requests.map { $0.fields["Range"] != nil } == [false, true, false])
    #expect(bench.stored(model) == ResumeTests.other)
  }

  /// Wrong responses to a range request.
  @Test(arguments: [
    ("206 Partial Content", "Content-Range: bytes 0-299999/300000\r\nETag: \"1\"\r\n"),
    ("206 Partial Content", "Content-Range: bytes 120000-299999/300001\r\nETag: \"1\"\r\n"),
    ("206 Partial Content", "Content-Range: bytes 120000-299999/300000\r\nETag: \"2\"\r\n"),
    ("206 Partial Content", "Content-Range: nonsense\r\n"), ("206 Partial Content", ""),
    ("416 Range Not Satisfiable", "Content-Range: bytes */300000\r\n"),
  ])
  func restartsDownloadIfRangeIsWrong(_ status: String, _ fields: String) async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      switch number {
      case 0:
        return try connection.cut(
          "200 OK", "ETag: \"1\"\r\n", announcing: Self.bytes.count,
          sending: Array(Self.bytes[..<ResumeTests.cut]))
      case 1: return try connection.cut(status, fields, announcing: 3, sending: [1, 2, 3])
      default:
        return try connection.send(
          OfferedFile(bytes: Self.bytes, tag: "1").response(request), to: request)
      }
    }
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(server.requests.map { $0.fields["Range"] != nil } == [false, true, false])
    #expect(bench.stored(model) == ResumeTests.bytes)
  }

  @Test func rejectsUnrequestedRange() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.cut(
        "206 Partial Content", "Content-Range: bytes 0-2/3\r\n", announcing: 3,
        sending: [1, 2, 3])
    }
    await #expect(throws: ModelHostingError.status(206, message: nil)) {
      try await bench.manager().model(HostingBench.fileModel(server))
    }
  }

  @Test func progressResetsAttemptCount() async throws {
    let bench = try HostingBench()
    let step = Retries.progress
    let all = HostingBench.bytes(6, count: 20 * step)
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      let start = number * step
      return try connection.cut(
        number == 0 ? "200 OK" : "206 Partial Content",
        "ETag: \"1\"\r\nContent-Range: bytes \(start)-\(all.count - 1)/\(all.count)\r\n",
        announcing: all.count - start, sending: Array(all[start..<start + step]))
    }
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(server.requests.count == 20 && bench.stored(model) == all)
    #expect(bench.waited == Array(repeating: 1, count: 19))
  }

  /// Bytes that are received again do not count as progress.
  @Test(arguments: ["", "ETag: \"1\"\r\n"])
  func givesUpIfServerStopsAtSameByte(_ fields: String) async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.cut(
        "200 OK", fields, announcing: Self.bytes.count, sending: Array(Self.bytes[..<Self.cut]))
    }
    let model = HostingBench.fileModel(server)
    do {
      _ = try await bench.manager().model(model)
      Issue.record("an incomplete download succeeded")
    } catch {
      guard case .connection = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(server.requests.count == 5 && bench.waited == [1, 2, 4, 8])
  }

  @Test func newManagerContinuesDownload() async throws {
    let bench = try HostingBench()
    let server = try ResumeTests.server()
    let model = HostingBench.fileModel(server)
    do {
      _ = try await bench.manager { $0.retry.maximumAttempts = 1 }.model(model)
      Issue.record("a truncated download succeeded")
    } catch {}
    #expect(!bench.manager().isModelDownloaded(model))
    _ = try await bench.manager().model(model)
    #expect(server.requests[1].fields["Range"] == "bytes=\(ResumeTests.cut)-")
    #expect(bench.stored(model) == ResumeTests.bytes)
  }

  /// A killed process leaves a partial file, and the next process requests only the rest.
  @Test func newProcessContinuesKilledDownload() async throws {
    let bench = try HostingBench()
    let all = HostingBench.bytes(7, count: 4 * PartialFile.checkpoint)
    let killed = Gate()
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      let file = OfferedFile(bytes: all, tag: "1")
      guard number == 0 else { return try connection.send(file.response(request), to: request) }
      _ = try connection.cut(
        "200 OK", "ETag: \"1\"\r\n", announcing: all.count, sending: Array(all[..<(all.count / 2)]))
      killed.waitUntilOpen()
      return false
    }
    let (address, store) = (server.url("/birds.tflite"), bench.folder.path)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [address = address as URL, store = store as String] in
      let source = HTTPModelSource(name: "birds", modelURL: address)
      let directory = URL(filePath: store).appending(path: "store")
      let manager = ModelManager(configuration: HostingConfiguration(directory: directory))
      let download = manager.startDownload(CustomRemoteModel(remoteModelSource: source))
      for await step in download.progress where step.completedBytes > 0 { break }
      let folder = ModelFolder(store: directory.path, name: "birds", source: "file:\(address)")
      while PartialFile.record(folder, key: "file:\(address) ", hasDigest: false) == nil {
        try await Task.sleep(for: .milliseconds(10))
      }
      kill(getpid(), SIGKILL)
    }
    killed.open()
    let model = HostingBench.fileModel(server)
    let left = try #require(
      PartialFile.record(
        bench.modelFolder(model), key: "file:\(address) ", hasDigest: false))
    #expect(left.stored >= PartialFile.checkpoint)
    _ = try await bench.manager().model(model)
    #expect(server.requests.last?.fields["Range"] == "bytes=\(left.stored)-")
    #expect(bench.stored(model) == all)
  }

  @Test func progressStartsAtStoredBytes() async throws {
    let bench = try HostingBench()
    let server = try ResumeTests.server()
    let model = HostingBench.fileModel(server)
    _ = try? await bench.manager { $0.retry.maximumAttempts = 1 }.model(model)
    let download = bench.manager().startDownload(model)
    var steps: [ModelDownloadProgress] = []
    for await step in download.progress { steps.append(step) }
    _ = try await download.version()
    #expect(!steps.isEmpty)
    #expect(steps.allSatisfy { $0.completedBytes >= ResumeTests.cut && $0.totalBytes == 300_000 })
    #expect(steps.last?.fractionCompleted == 1)
  }

  @Test func usesOldVersionDuringDownload() async throws {
    let bench = try HostingBench()
    let offer = Offer(ResumeTests.other, "0")
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      if number == 1 {
        return try connection.cut(
          "200 OK", "ETag: \"1\"\r\n", announcing: Self.bytes.count,
          sending: Array(Self.bytes[..<ResumeTests.cut]))
      }
      return try connection.send(offer.current.response(request), to: request)
    }
    let model = HostingBench.fileModel(server)
    let manager = bench.manager { $0.retry.maximumAttempts = 1 }
    _ = try await manager.model(model)
    offer.replace(ResumeTests.bytes, "1")
    _ = try? await manager.model(model)
    #expect(bench.stored(model) == ResumeTests.other)
    _ = try await manager.model(model)
    #expect(server.requests[2].fields["If-None-Match"] == "\"0\"")
    #expect(server.requests[2].fields["If-Range"] == "\"1\"")
    #expect(bench.stored(model) == ResumeTests.bytes)
  }
}
