import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

/// A store without write permission. Calls run in a separate process as an unprivileged user.
@Suite(.timeLimit(.minutes(5))) struct ReadOnlyStoreTests {
  /// Removes or restores the write permission of the folder and its files.
  private static func setWritable(_ isWritable: Bool, _ folder: URL) throws {
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    for name in [""] + (files ?? []) {
      let path = folder.path + "/" + name
      guard SystemFile.target(path) == nil else { continue }
      try FileManager.default.setAttributes(
        [.posixPermissions: isWritable ? 0o755 : 0o555], ofItemAtPath: path)
    }
  }

  @Test func returnsStoredModel() async throws {
    let bench = try HostingBench()
    let offer = Offer(HostingBench.bytes(1), "1")
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(offer.current.response(request), to: request)
    }
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    let store = bench.folder.appending(path: "store")
    try ReadOnlyStoreTests.setWritable(false, store)
    defer { try? ReadOnlyStoreTests.setWritable(true, store) }
    let address = server.url("/birds.tflite")
    for isNewer in [false, true] {
      if isNewer { offer.replace(HostingBench.bytes(2), "2") }
      await #expect(processExitsWith: .success) {
        [address = address as URL, store = store as URL, isNewer = isNewer as Bool] in
        if geteuid() == 0 { try #require(seteuid(65534) == 0) }
        let source = HTTPModelSource(name: "birds", modelURL: address)
        let model = CustomRemoteModel(remoteModelSource: source)
        let manager = ModelManager(configuration: HostingConfiguration(directory: store))
        do throws(ModelHostingError) {
          let file = try await manager.model(model)
          #expect(!isNewer && SystemFile.size(file.path) == 300_000)
        } catch {
          // A newer version cannot be stored, which is an error. The stored version stays in use.
          #expect(isNewer && error.isReadOnly, "\(error)")
          #expect(manager.isModelDownloaded(model))
        }
      }
    }
    #expect(server.requests.last?.fields["If-None-Match"] == "\"1\"")
  }

  /// Without a stored model the download fails.
  @Test func unknownModelThrows() async throws {
    let bench = try HostingBench()
    let store = bench.folder.appending(path: "store")
    try SystemFile.makeFolder(store.path)
    try ReadOnlyStoreTests.setWritable(false, store)
    defer { try? ReadOnlyStoreTests.setWritable(true, store) }
    await #expect(processExitsWith: .success) { [store = store as URL] in
      if geteuid() == 0 { try #require(seteuid(65534) == 0) }
      let address = try #require(URL(string: "http://127.0.0.1:9/birds.tflite"))
      let manager = ModelManager(configuration: HostingConfiguration(directory: store))
      let model = CustomRemoteModel(
        remoteModelSource: HTTPModelSource(name: "birds", modelURL: address))
      do throws(ModelHostingError) {
        _ = try await manager.model(model)
        Issue.record("a download without a server succeeded")
      } catch { #expect(error.isReadOnly, "\(error)") }
    }
  }
}
