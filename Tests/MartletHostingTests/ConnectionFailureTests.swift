import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

/// The errors of failed connections, and whether downloads are retried.
@Suite struct ConnectionFailureTests {
  /// The error of a download, and the pauses before further attempts.
  private static func failure(
    at url: URL, _ change: (inout HostingConfiguration) -> Void = { _ in }
  ) async throws -> (ModelHostingError?, waited: [Int]) {
    let bench = try HostingBench()
    let model = CustomRemoteModel(
      remoteModelSource: HTTPModelSource(name: "birds", modelURL: url))
    do throws(ModelHostingError) {
      _ = try await bench.manager(change).model(model)
      return (nil, bench.waited)
    } catch { return (error, bench.waited) }
  }

  /// Messages of curl 7.88 and 8 with the matching error code of Apple's Foundation.
  @Test(arguments: [
    ("SSL certificate problem: self-signed certificate", NSURLErrorServerCertificateUntrusted),
    ("SSL certificate problem: certificate has expired", NSURLErrorServerCertificateUntrusted),
    (
      "SSL: no alternative certificate subject name matches target host name 'a.example'",
      NSURLErrorServerCertificateUntrusted
    ),
    (
      "server certificate verification failed. CAfile: none CRLfile: none",
      NSURLErrorServerCertificateUntrusted
    ),
    (
      "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
      NSURLErrorSecureConnectionFailed
    ),
    (
      "TLS connect error: error:0A000410:SSL routines::ssl/tls alert handshake failure",
      NSURLErrorSecureConnectionFailed
    ),
    ("Invalid Content-Length: value", NSURLErrorCannotParseResponse),
    ("Header without colon", NSURLErrorCannotParseResponse),
    ("Nul byte in header", NSURLErrorCannotParseResponse),
    (
      "Illegal or missing hexadecimal sequence in chunked-encoding", NSURLErrorCannotParseResponse
    ),
  ])
  func permanentFailuresAreNotTransient(_ message: String, _ code: Int) {
    let error = ModelHostingError(
      connection: NSError(
        domain: NSURLErrorDomain, code: NSURLErrorUnknown,
        userInfo: [NSLocalizedDescriptionKey: message]))
    #expect(error == .connection(code: code, message: message))
    #expect(!error.isTransient)
    #expect("\(error)".contains(message))
  }

  @Test(arguments: [
    "transfer closed with 8 bytes remaining to read", "Recv failure: Connection reset by peer",
    "OpenSSL SSL_connect: Connection reset by peer in connection to a.example:443 ",
  ])
  func temporaryFailuresAreTransient(_ message: String) {
    let error = ModelHostingError(
      connection: NSError(
        domain: NSURLErrorDomain, code: NSURLErrorUnknown,
        userInfo: [NSLocalizedDescriptionKey: message]))
    #expect(error == .connection(code: NSURLErrorUnknown, message: message))
    #expect(error.isTransient)
  }

  @Test(arguments: ["Content-Length: abc", "Content-Length: -5", "no colon"])
  func doesNotRetryMalformedResponses(_ field: String) async throws {
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\n\(field)\r\n\r\nno".utf8))
      return false
    }
    let (error, waited) = try await ConnectionFailureTests.failure(at: server.url("/a"))
    guard case .connection = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.requests.count == 1 && waited.isEmpty)
  }

  /// The cause is reported immediately, not after the time limit.
  @Test func reportsFailureIfNextAttemptExceedsTimeLimit() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9/birds.tflite"))
    let (error, waited) = try await ConnectionFailureTests.failure(at: url) {
      $0.timeLimit = 3600
      $0.retry.initialDelay = 3601
      $0.retry.maximumDelay = 3601
    }
    guard case .connection = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(waited.isEmpty)
  }

  private static let openSSL = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static func openSSL(_ words: String, in folder: URL) throws -> Process {
    let process = Process()
    process.executableURL = openSSL.map { URL(filePath: $0) }
    process.arguments = words.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    return process
  }

  @Test(.enabled(if: openSSL != nil, "openssl makes the certificate"), .timeLimit(.minutes(5)))
  func selfSignedCertificateIsReportedAndNotRetried() async throws {
    let bench = try HostingBench()
    let request = try ConnectionFailureTests.openSSL(
      """
      req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost \
      -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem
      """, in: bench.folder)
    try request.run()
    request.waitUntilExit()
    let server = try ConnectionFailureTests.openSSL(
      "s_server -accept 127.0.0.1:0 -key key.pem -cert certificate.pem -www", in: bench.folder)
    let output = Pipe()
    server.standardOutput = output
    try server.run()
    defer { server.terminate() }
    // The server prints "ACCEPT 127.0.0.1:PORT" after a line or two.
    var text = ""
    while !text.contains(/ACCEPT [^ ]*\n/),
      case let piece = output.fileHandleForReading.availableData,
      !piece.isEmpty
    { text += String(decoding: piece, as: UTF8.self) }
    let port = try #require(text.firstMatch(of: /ACCEPT .*:(\d+)\n/)?.1)
    let url = try #require(URL(string: "https://127.0.0.1:\(port)/birds.tflite"))
    let (error, waited) = try await ConnectionFailureTests.failure(at: url)
    guard case .connection(let code, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(ModelHostingError.certificateCodes.contains(code) && waited.isEmpty)
    #expect(error.map { "\($0)" }?.hasPrefix("the server's certificate is not trusted: ") == true)
  }
}
