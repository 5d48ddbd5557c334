//===--- WebClient.swift - requests, redirects followed -------------------===//
//
// Contract  Each address on the way is checked; fields that are secret go to the first server alone.
// Checked   Tests/MartletHostingTests/RedirectTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

/// Asks servers, wherever they send us.
struct WebClient: Sendable {
  static let maximumRedirects = 10

  let transport: any HTTPTransport
  let policy: AddressPolicy
  let idleLimit: Duration
  let allowsCellularAccess: Bool

  /// Hands the answer to `receiver`: the one behind all redirects.
  func get(
    _ url: URL, from referrer: URL? = nil, fields: [String: String] = [:],
    secrets: [String: String] = [:], to receiver: some TransportReceiver
  ) async throws(ModelHostingError) {
    var (address, referrer) = (url, referrer)
    for _ in 0...WebClient.maximumRedirects {
      try policy.check(address, from: referrer)
      var all = fields
      if AddressPolicy.isSameServer(url, address) {
        all.merge(secrets) { _, secret in secret }
      }
      let follower = RedirectReceiver(receiver)
      try await transport.get(
        TransportRequest(
          url: address, fields: all, idleLimit: idleLimit,
          allowsCellularAccess: allowsCellularAccess), to: follower)
      guard let location = follower.location else { return }
      guard let next = URL(string: location, relativeTo: address)?.absoluteURL else {
        throw .address(location)
      }
      (address, referrer) = (next, address)
    }
    throw .tooManyRedirects(limit: WebClient.maximumRedirects)
  }
}

/// Hands everything on but redirects.
private final class RedirectReceiver<Receiver: TransportReceiver>: TransportReceiver {
  private let receiver: Receiver
  private let target = Mutex<String?>(nil)

  init(_ receiver: Receiver) { self.receiver = receiver }

  var location: String? { target.withLock { $0 } }

  func receive(_ response: TransportResponse) throws(ModelHostingError) {
    if [301, 302, 303, 307, 308].contains(response.status), let location = response["Location"] {
      target.withLock { $0 = location }
    } else {
      try receiver.receive(response)
    }
  }

  func receive(_ bytes: Data) throws(ModelHostingError) {
    if location == nil { try receiver.receive(bytes) }
  }
}
