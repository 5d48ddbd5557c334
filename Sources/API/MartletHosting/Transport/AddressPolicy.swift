//===--- AddressPolicy.swift - permitted URLs -----------------------------===//
//
// Contract  HTTPS is allowed. HTTP is allowed for loopback addresses, unless another machine
//           redirected there; other HTTP only if insecure URLs are allowed.
//===----------------------------------------------------------------------===//

import Foundation

/// Decides whether a URL may be requested.
struct AddressPolicy: Sendable {
  let allowsInsecureHTTP: Bool

  /// - Parameter referrer: The URL whose response named this one, if any.
  func check(_ url: URL, from referrer: URL? = nil) throws(ModelHostingError) {
    guard let host = url.host, !host.isEmpty else {
      throw .address(url.absoluteString.withoutCredentials)
    }
    switch url.scheme?.lowercased() {
    case "https": return
    case "http":
      if allowsInsecureHTTP { return }
      guard AddressPolicy.isLoopback(host), referrer.map(AddressPolicy.isLocal) ?? true else {
        throw .insecureAddress(url.absoluteString.withoutCredentials)
      }
    default: throw .address(url.absoluteString.withoutCredentials)
    }
  }

  private static func isLocal(_ url: URL) -> Bool {
    url.scheme?.lowercased() == "http" && isLoopback(url.host ?? "")
  }

  static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if ["localhost", "::1", "[::1]"].contains(name) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (48...57).contains($0) } && UInt8(part) != nil
      }
  }

  /// Whether two URLs have the same server, so that both may receive the same secret.
  static func isSameServer(_ one: URL, _ other: URL) -> Bool {
    one.scheme?.lowercased() == other.scheme?.lowercased()
      && one.host?.lowercased() == other.host?.lowercased() && one.port == other.port
  }
}

extension String {
  /// The URL without user and password, for messages and records.
  package var withoutCredentials: String {
    let start = range(of: "//")?.upperBound ?? startIndex
    let end = self[start...].firstIndex { "/?#".contains($0) } ?? endIndex
    guard let mark = self[start..<end].lastIndex(of: "@") else { return self }
    return String(self[..<start] + self[index(after: mark)...])
  }
}
