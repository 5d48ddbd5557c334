//===--- WebClient.swift - requests with redirects ------------------------===//
//
// Contract  Each URL of a redirect is checked. Secret fields are sent to the first server only. A
//           response whose header or body is too slow is ended.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// Sends requests and follows redirects.
struct WebClient: Sendable {
  static let maximumRedirects = 10

  private let transport: any HTTPTransport
  private let policy: AddressPolicy
  private let idleLimit: TimeInterval
  private let lowestSpeed: LowestSpeed
  private let allowsCellularAccess: Bool

  init(_ configuration: HostingConfiguration, _ conditions: ModelDownloadConditions) {
    transport = configuration.transport
    policy = AddressPolicy(allowsInsecureHTTP: configuration.allowsInsecureHTTP)
    idleLimit = configuration.idleLimit
    lowestSpeed = LowestSpeed(
      bytesPerSecond: configuration.lowestSpeed, period: configuration.idleLimit)
    allowsCellularAccess = conditions.allowsCellularAccess
  }

  /// Passes the final response, after all redirects, to `receiver`.
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
      try await send(
        TransportRequest(
          url: address, fields: all, idleLimit: idleLimit,
          allowsCellularAccess: allowsCellularAccess), to: follower)
      guard let location = follower.location else { return }
      guard let next = URL(string: location, relativeTo: address)?.absoluteURL else {
        throw .address(location.withoutCredentials)
      }
      (address, referrer) = (next, address)
    }
    throw .tooManyRedirects(limit: WebClient.maximumRedirects)
  }

  /// Sends one request, and ends it if the response is too slow.
  private func send(
    _ request: TransportRequest, to receiver: RedirectReceiver<some TransportReceiver>
  ) async throws(ModelHostingError) {
    try await withWatchdog {
      await lowestSpeed.waitUntilTooSlow(receiver.counter)
    } work: { () async throws(ModelHostingError) in
      try await transport.get(request, to: receiver)
    }
  }
}

/// Passes on everything except redirects.
private final class RedirectReceiver<Receiver: TransportReceiver>: TransportReceiver {
  private let receiver: Receiver
  private let target = Mutex<String?>(nil)
  /// Counts the bytes of bodies.
  let counter = ByteCounter()

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
    counter.add(bytes.count)
    if location == nil { try receiver.receive(bytes) }
  }
}
