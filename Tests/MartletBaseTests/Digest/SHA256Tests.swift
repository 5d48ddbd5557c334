//===--- SHA256Tests.swift ------------------------------------------------===//
//
// Expected digests are from NIST: the examples of FIPS 180-4 and the byte-oriented short and Monte
// Carlo vectors of CAVP (SHAVS). Other digests are compared with sha256sum, if it is installed.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase
import MartletTestSupport
import Testing

@Suite struct SHA256Tests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let message: [UInt8]
    let digest: String
    var testDescription: String { "\(message.count) bytes" }
  }

  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }

  static let vectors = [
    Vector(
      message: [], digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    Vector(
      message: Array("abc".utf8),
      digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    Vector(
      message: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    Vector(
      message: Array(
        ("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu").utf8),
      digest: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    Vector(
      message: Array(repeating: UInt8(ascii: "a"), count: 1_000_000),
      digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    // SHA256ShortMsg.rsp
    Vector(
      message: bytes("d3"),
      digest: "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
    Vector(
      message: bytes("11af"),
      digest: "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
    Vector(
      message: bytes("74ba2521"),
      digest: "b16aa56be3880d18cd41e68384cf1ec8c17680c45a02b1575dc1518923ae8b0e"),
  ]

  @Test(arguments: vectors)
  func matchesThePublishedDigest(_ vector: Vector) {
    #expect(SHA256.digest(of: vector.message).hexadecimal == vector.digest)
  }

  /// SHA256Monte.rsp: a hundred rounds of a thousand digests, each of the three previous ones.
  @Test func matchesTheMonteCarloVectors() {
    var seed = SHA256Tests.bytes(
      "6d1e72ad03ddeb5de891e572e2396f8da015d899ef0e79503152d6010a3fe691")
    var found: [String] = []
    for _ in 0..<100 {
      var (first, second, third) = (seed, seed, seed)
      for _ in 0..<1000 {
        let next = SHA256Tests.bytes(SHA256.digest(of: first + second + third).hexadecimal)
        (first, second, third) = (second, third, next)
      }
      seed = third
      found.append(SHA256Tests.hexadecimal(seed))
    }
    #expect(found[0] == "e93c330ae5447738c8aa85d71a6c80f2a58381d05872d26bdd39f1fcd4f2b788")
    #expect(found[99] == "6a912ba4188391a78e6f13d88ed2d14e13afce9db6f7dcbf4a48c24f3db02778")
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test func digestIsIndependentOfChunking() {
    let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let whole = SHA256.digest(of: message)
    for first in 0...130 {
      for second in [0, 1, 63, 64, 65, 128] {
        var hash = SHA256()
        hash.update(Array(message[..<first]))
        hash.update(Array(message[first..<first + second]))
        hash.update(Array(message[(first + second)...]))
        #expect(hash.finish() == whole, "split at \(first) and \(first + second)")
      }
    }
  }

  static let tool = "/usr/bin/sha256sum"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: tool), "needs sha256sum"))
  func agreesWithSha256sumForEveryLength() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "martlet-digests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let messages = (0...200).map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0) }
    }
    for (index, message) in messages.enumerated() {
      try Data(message).write(to: folder.appending(path: "\(index)"))
    }
    let process = Process()
    process.executableURL = URL(filePath: SHA256Tests.tool)
    process.currentDirectoryURL = folder
    process.arguments = messages.indices.map { "\($0)" }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = output.split(separator: "\n")
    #expect(lines.count == messages.count)
    for (line, message) in zip(lines, messages) {
      #expect(line.prefix(64) == SHA256.digest(of: message).hexadecimal, "\(message.count) bytes")
    }
  }

  @Test func parsesDigitsInEitherCase() {
    let digest = SHA256.digest(of: [1, 2, 3])
    #expect(Digest(hexadecimal: digest.hexadecimal) == digest)
    #expect(Digest(hexadecimal: digest.hexadecimal.uppercased()) == digest)
  }

  @Test(arguments: [0, 63, 65])
  func rejectsOtherNumbersOfDigits(_ count: Int) {
    #expect(Digest(hexadecimal: String(repeating: "a", count: count)) == nil)
  }

  @Test func rejectsCharactersThatAreNotDigits() {
    #expect(Digest(hexadecimal: String(repeating: "a", count: 63) + "g") == nil)
    #expect(Digest(hexadecimal: "0x" + String(repeating: "a", count: 62)) == nil)
  }
}
