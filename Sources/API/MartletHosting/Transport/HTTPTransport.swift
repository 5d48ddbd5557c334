//===--- HTTPTransport.swift - interface for HTTP clients -----------------===//
//
// The network interface of this module: GET without following redirects. Implement it to use
// another HTTP client.
//===----------------------------------------------------------------------===//

public import Foundation

/// A GET request.
public struct TransportRequest: Sendable {
  /// The URL to request.
  public var url: URL
  /// The header fields.
  public var fields: [String: String]
  /// The longest time without data from the server. Default: one minute.
  public var idleLimit: TimeInterval
  /// Whether the request may use a cellular network. Default: `true`.
  public var allowsCellularAccess: Bool

  /// A request with these values.
  public init(
    url: URL, fields: [String: String] = [:], idleLimit: TimeInterval = 60,
    allowsCellularAccess: Bool = true
  ) {
    self.url = url
    self.fields = fields
    self.idleLimit = idleLimit
    self.allowsCellularAccess = allowsCellularAccess
  }
}

/// The status and header of a response.
public struct TransportResponse: Sendable {
  /// The HTTP status code.
  public let status: Int
  private let fields: [String: String]

  /// A response with these values; names of fields are case-insensitive.
  public init(status: Int, fields: [String: String]) {
    self.status = status
    self.fields = Dictionary(
      fields.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a header field; `nil` if absent. The name is case-insensitive.
  public subscript(name: String) -> String? { fields[name.lowercased()] }
}

/// Receives a response. Calls are serialized: first the header, then pieces of the body. They must
/// not block longer than a write to a file, because other requests may wait.
public protocol TransportReceiver: Sendable {
  /// Receives the header. If it throws, the transport ends the request.
  func receive(_ response: TransportResponse) throws(ModelHostingError)
  /// Receives the next piece of the body. The transport reads at most a few pieces ahead. If this
  /// throws, it ends the request.
  func receive(_ bytes: Data) throws(ModelHostingError)
}

/// An HTTP and HTTPS client.
public protocol HTTPTransport: Sendable {
  /// Sends a GET request and passes the response to `receiver`. Returns when the body is complete.
  /// Redirects are passed on like other responses. Canceling the task ends the request.
  ///
  /// - Throws: The receiver's error; `ModelHostingError.connection` if the response is missing or
  ///   incomplete; `ModelHostingError.cancelled`.
  func get(
    _ request: TransportRequest, to receiver: some TransportReceiver
  ) async throws(ModelHostingError)
}
