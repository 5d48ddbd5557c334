import Foundation
import MartletTestServer
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletHosting
@testable import MartletModel

#if os(Linux)
  @Suite(.timeLimit(.minutes(5))) struct MemoryTests {
    static let padding = 64 << 20

    /// The shipped classifier with 64 MiB of zeros between its tables and its labels.
    static func large(_ classifier: [UInt8]) throws -> [UInt8] {
      let archive = try AppendedArchive(bytes: FileBytes(classifier)).start
      let zeros = [UInt8](repeating: 0, count: padding)
      return Array(classifier[..<archive]) + zeros + classifier[archive...]
    }

    /// The peak memory of this process in bytes.
    static func peak() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.split(whereSeparator: { !$0.isNumber })[0])) << 10
    }

    /// Download and check together use a few mebibytes for any file size. Runs in its own process,
    /// which first downloads the shipped classifier to exclude fixed costs.
    @Test func memoryDoesNotGrowWithTheFile() async throws {
      let bench = try HostingBench()
      let small = try Fixtures.bytes(
        of: Fixtures.root.appending(path: "Weights/classifier.tflite"))
      let large = try MemoryTests.large(small)
      let server = try ScriptedServer { request, _, connection throws(SocketError) in
        let isLarge = request.path == "/large.tflite"
        return try connection.send(
          HTTPResponse(200, body: isLarge ? large : small), to: request)
      }
      let (address, store) = (server.url("/"), bench.folder.path)
      await #expect(processExitsWith: .success) {
        [address = address as URL, store = store as String] in
        let manager = ModelManager(
          configuration: HostingConfiguration(directory: URL(filePath: store)))
        func download(_ name: String) async throws -> Int {
          let source = HTTPModelSource(
            name: name, modelURL: address.appending(path: name + ".tflite"))
          let model = CustomRemoteModel(remoteModelSource: source)
          _ = try await manager.model(model)
          return try #require(manager.version(of: model)).sizeBytes
        }
        _ = try await download("small")
        let before = try MemoryTests.peak()
        #expect(try await download("large") > MemoryTests.padding)
        #expect(try MemoryTests.peak() - before < MemoryTests.padding / 4)
      }
    }
  }
#endif
