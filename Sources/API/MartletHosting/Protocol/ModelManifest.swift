//===--- ModelManifest.swift - manifest of a model ------------------------===//
//
//     {"downloadUri": "labeler.tflite", "sizeBytes": "600432", "sha256": "…", "version": "3",
//      "expireTime": "2027-01-01T00:00:00.5Z", "minRuntime": "1.0"}
//
// Firebase's response has the first two members and `expireTime`. A custom manifest may have all of
// them; only the first is required. The URL may be relative to the manifest.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// The URL and the expected properties of a model's file.
struct ModelManifest: Equatable, Sendable {
  /// The largest size of a manifest: 64 KiB.
  static let maximumSize = 1 << 16
  /// The version of this package that `minRuntime` is compared with.
  static let runtimeVersion = packageVersion.description

  let url: URL
  let expiry: Date?
  let sizeBytes: Int?
  let digest: Digest?
  let version: String?

  /// Parses `body`, the response from `address`.
  init(_ body: Data, at address: URL) throws(ModelHostingError) {
    guard let members = try? JSONDecoder().decode(Members.self, from: body) else {
      throw .manifest(.malformed)
    }
    guard !members.downloadUri.isEmpty,
      let url = URL(string: members.downloadUri, relativeTo: address)?.absoluteURL
    else { throw .manifest(.address(members.downloadUri.withoutCredentials)) }
    self.url = url
    sizeBytes = try ModelManifest.value(of: members.sizeBytes?.text, or: ModelManifestProblem.size)
    {
      Int($0).flatMap { $0 > 0 ? $0 : nil }
    }
    digest = try ModelManifest.value(of: members.sha256, or: ModelManifestProblem.digest) {
      Digest(hexadecimal: $0)
    }
    expiry = try ModelManifest.value(
      of: members.expireTime, or: ModelManifestProblem.expiry, ModelManifest.date)
    version = members.version?.text
    if let needed = members.minRuntime { try ModelManifest.checkRuntime(needed) }
  }

  /// Parses `text` if present; throws `problem` if `parse` returns `nil`.
  private static func value<Value>(
    of text: String?, or problem: (String) -> ModelManifestProblem, _ parse: (String) -> Value?
  ) throws(ModelHostingError) -> Value? {
    guard let text else { return nil }
    guard let value = parse(text) else { throw .manifest(problem(text)) }
    return value
  }

  private static func checkRuntime(_ needed: String) throws(ModelHostingError) {
    guard let least = numbers(needed), let own = numbers(runtimeVersion) else {
      throw .manifest(.runtime(needed))
    }
    if own.lexicographicallyPrecedes(least) {
      throw .runtime(needed: needed, available: runtimeVersion)
    }
  }

  /// The components of a version, without trailing zeros: 1.0 is 1.
  private static func numbers(_ version: String) -> [Int]? {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard !parts.contains(where: { ($0 ?? -1) < 0 }) else { return nil }
    var numbers = parts.compactMap { $0 }
    while numbers.last == 0 { numbers.removeLast() }
    return numbers
  }

  /// A date such as `2026-11-21T10:00:00Z`, with any number of decimals for the seconds.
  private static func date(_ text: String) -> Date? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    var whole = text
    var fraction = 0.0
    if parts.count == 2 {
      let digits = parts[1].prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, let value = Double("0." + digits) else { return nil }
      fraction = value
      whole = String(parts[0] + parts[1].dropFirst(digits.count))
    }
    guard let date = try? Date(whole, strategy: .iso8601) else { return nil }
    return date.addingTimeInterval(fraction)
  }

  private struct Members: Decodable {
    let downloadUri: String
    let expireTime: String?
    let sizeBytes: Numeral?
    let sha256: String?
    let version: Numeral?
    let minRuntime: String?
  }

  /// A JSON number, or a number in quotes as Firebase writes it.
  private struct Numeral: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Int.self) {
        text = String(number)
      } else {
        text = try value.decode(String.self)
      }
    }
  }
}
