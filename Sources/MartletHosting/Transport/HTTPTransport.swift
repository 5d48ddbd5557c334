//===--- HTTPTransport.swift - transport of requests ----------------------===//
//
// The one thing that the rest of the module needs of the network: GET, without following redirects.
// Replace it to send requests by another client.
//
// Checked   Tests/MartletHostingTests/URLSessionTransportTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// A request.
public struct TransportRequest: Sendable {
  /// The address.
  public var url: URL
  /// The header fields.
  public var fields: [String: String]
  /// How long the server may send nothing.
  public var idleLimit: Duration
  /// Whether the request may go over a mobile network.
  public var allowsCellularAccess: Bool

  /// A request; a minute of silence is allowed unless another limit is given.
  public init(
    url: URL, fields: [String: String] = [:], idleLimit: Duration = .seconds(60),
    allowsCellularAccess: Bool = true
  ) {
    self.url = url
    self.fields = fields
    self.idleLimit = idleLimit
    self.allowsCellularAccess = allowsCellularAccess
  }
}

/// The head of an answer.
public struct TransportResponse: Sendable {
  /// The status.
  public let status: Int
  private let fields: [String: String]

  /// An answer's head; names of fields are equal in either case.
  public init(status: Int, fields: [String: String]) {
    self.status = status
    self.fields = Dictionary(
      fields.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a header field.
  public subscript(name: String) -> String? { fields[name.lowercased()] }
}

/// What takes an answer. Called by one thread at a time: first with the head, then with the body.
/// It must not wait for longer than a write to a file takes: other requests may be waiting meanwhile.
public protocol TransportReceiver: Sendable {
  /// Takes the answer's head. The transport ends the request where this throws.
  func receive(_ response: TransportResponse) throws(ModelHostingError)
  /// Takes the next piece of the body. The transport reads no further than a few pieces ahead, and
  /// ends the request where this throws.
  func receive(_ bytes: Data) throws(ModelHostingError)
}

/// A client of HTTP and HTTPS.
public protocol HTTPTransport: Sendable {
  /// Sends a GET request, hands the answer to `receiver`, and returns when the body has ended as the
  /// head said it would. Redirects are answers as any other. When the task is cancelled, the request
  /// ends.
  ///
  /// - Throws: What the receiver threw; `ModelHostingError.connection` where the answer did not come,
  ///   or not in full; `ModelHostingError.cancelled`.
  func get(
    _ request: TransportRequest, to receiver: some TransportReceiver
  ) async throws(ModelHostingError)
}
