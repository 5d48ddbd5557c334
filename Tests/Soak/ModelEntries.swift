//===--- ModelEntries.swift - calls of the model manager ------------------===//
//
// The server runs in this process.
//===----------------------------------------------------------------------===//

import Foundation
import Martlet
import MartletHosting
import MartletTestServer

/// A server with one file, and a manager with its own store.
private final class ModelBench: Sendable {
  let folder: URL
  let server: HTTPServer
  let manager: ModelManager
  let model: CustomRemoteModel

  init() throws {
    let file = [UInt8](
      try Data(contentsOf: URL(filePath: "Tests/Fixtures/Models/while_f32_loop.tflite")))
    folder = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID())")
    server = try HTTPServer { request, connection throws(SocketError) in
      try connection.send(OfferedFile(bytes: file, tag: "1").response(request), to: request)
    }
    server.start()
    var configuration = HostingConfiguration(directory: folder)
    configuration.acceptance = .anyModel
    manager = ModelManager(configuration: configuration)
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/loop.tflite") else {
      throw SoakError.timedOut
    }
    model = CustomRemoteModel(remoteModelSource: HTTPModelSource(name: "loop", modelURL: url))
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// The entries of the model manager.
func modelEntries() -> [Entry] {
  [
    Entry(name: "ModelManager, local store") {
      let bench = try ModelBench()
      _ = try Waiter.value { try await bench.manager.model(bench.model).path }
      return { _ in
        let version = bench.manager.version(of: bench.model)?.sha256 ?? "none"
        let isThere = bench.manager.isModelDownloaded(bench.model)
        return Data("\(bench.manager.localModel(of: bench.model).path) \(isThere) \(version)".utf8)
      }
    },
    Entry(name: "ModelManager, latest version") {
      let bench = try ModelBench()
      return { _ in
        Data(try Waiter.value { try await bench.manager.model(bench.model).path }.utf8)
      }
    },
    Entry(name: "ModelManager, download and delete") {
      let bench = try ModelBench()
      return { _ in
        let path = try Waiter.value {
          let path = try await bench.manager.model(bench.model).path
          try await bench.manager.deleteDownloadedModel(bench.model)
          return path
        }
        return Data(path.utf8)
      }
    },
  ]
}
