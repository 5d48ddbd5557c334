//===--- AddressPolicy.swift - permitted addresses ------------------------===//
//
// Contract  HTTPS; HTTP on this machine, where not another machine sent us there; other HTTP only
//           where it is allowed.
// Checked   Tests/MartletHostingTests/AddressPolicyTests.swift
//===----------------------------------------------------------------------===//

import Foundation

/// Decides whether an address may be asked.
struct AddressPolicy: Sendable {
  let allowsInsecureHTTP: Bool

  /// - Parameter referrer: The address whose answer named this one, if any did.
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

  /// Whether two addresses are the same server's, so that what is secret to one may be told the other.
  static func isSameServer(_ one: URL, _ other: URL) -> Bool {
    one.scheme?.lowercased() == other.scheme?.lowercased()
      && one.host?.lowercased() == other.host?.lowercased() && one.port == other.port
  }
}

extension String {
  /// The address without user and password, which stand in no message and no record.
  package var withoutCredentials: String {
    let start = firstRange(of: "//")?.upperBound ?? startIndex
    let end = self[start...].firstIndex { "/?#".contains($0) } ?? endIndex
    guard let mark = self[start..<end].lastIndex(of: "@") else { return self }
    return String(self[..<start] + self[index(after: mark)...])
  }
}
