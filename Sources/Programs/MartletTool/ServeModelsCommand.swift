//===--- ServeModelsCommand.swift - martlet serve-models ------------------===//

import MartletCommandLine
import MartletSystem

struct ServeModelsCommand: Command {
  static let specification = CommandSpecification(
    name: "serve-models", summary: "Serves a folder of models for download.",
    operands: "DIR", operandCount: 1...1,
    options: [
      OptionSpecification(
        "--port", "N", help: "Port to listen on (default: 8080; 0 for any free port)"),
      OptionSpecification(
        "--host", "ADDRESS",
        help: "Numeric address to listen on (default: 127.0.0.1, this machine)"),
      OptionSpecification(
        "--expires-after", "SECONDS",
        help: "Validity of URLs in Firebase responses (default: 3600)"),
      OptionSpecification(
        "--rate", "BYTES", help: "Bytes per second to send, to simulate a slow network"),
    ])

  private let folder: FilePath
  private let host: String
  private let port: Int
  private let validity: Int
  private let rate: Int?

  init(_ arguments: Arguments) throws(UsageError) {
    folder = arguments.operands.first ?? "."
    host = arguments["--host"] ?? "127.0.0.1"
    port = try arguments.integer("--port", in: 0...65535) ?? 8080
    validity = try arguments.integer("--expires-after", in: 0...1_000_000_000) ?? 3600
    rate = try arguments.integer("--rate", in: 1...Int.max)
  }

  func run() -> Int32 {
    guard Files.kind(folder) == .folder else {
      Streams.err("martlet: \(folder): is not a folder")
      return 1
    }
    guard folder.base64 == nil else {
      Streams.err("martlet: \(folder): a folder's path that is UTF-8 expected; name it by a link")
      return 1
    }
    do throws(SocketError) {
      let server = try server()
      Streams.out("http://\(host.contains(":") ? "[\(host)]" : host):\(server.port)/")
      server.run()
    } catch {
      Streams.failure("\(host):\(port)", "\(error)")
      return 1
    }
    return 0
  }

  /// The server, which responds once it is started.
  func server() throws(SocketError) -> HTTPServer {
    let catalog = ServeModelsCatalog(folder: "\(folder)")
    try? Threads.start { catalog.computeDigests() }
    let site = ServeModelsSite(
      catalog: catalog, address: "http://\(host):\(port)",
      validity: validity, now: { WallClock.secondsSince1970 })
    let rate = rate
    return try HTTPServer(
      address: host, port: UInt16(port)
    ) { request, connection throws(SocketError) in
      let response = site.response(to: request)
      Streams.err("\(request.method) \(request.path) \(response.status)")
      return try connection.send(response, to: request) { count in
        if let rate { usleep(UInt32(min(1e9, Double(count) / Double(rate) * 1e6))) }
      }
    }
  }
}
