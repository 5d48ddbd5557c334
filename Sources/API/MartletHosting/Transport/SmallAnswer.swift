//===--- SmallAnswer.swift - a response in memory -------------------------===//

import Foundation
import MartletBase

/// Keeps a response in memory, up to a number of bytes.
final class SmallAnswer: TransportReceiver {
  private struct State {
    var response: TransportResponse?
    var body = Data()
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  var response: TransportResponse? { state.withLock { $0.response } }
  var body: Data { state.withLock { $0.body } }

  func receive(_ response: TransportResponse) throws(ModelHostingError) {
    state.withLock { $0.response = response }
  }

  func receive(_ bytes: Data) throws(ModelHostingError) {
    let (count, isRefusal) = state.withLock { state in
      let count = state.body.count + bytes.count
      if count <= limit { state.body += bytes }
      return (count, (state.response?.status ?? 0) >= 300)
    }
    // An error response that is too long is cut; it is no error of its own.
    if count > limit, !isRefusal { throw .tooLarge(bytes: count, limit: limit) }
  }
}

extension TransportResponse {
  /// The error for the status, with the message of Firebase's error body:
  /// `{"error": {"message": "…"}}`.
  func failure(_ body: Data) -> ModelHostingError {
    struct Failure: Decodable {
      struct Reason: Decodable { let message: String }
      let error: Reason
    }
    let message = try? JSONDecoder().decode(Failure.self, from: body).error.message
    return .status(status, message: message.map { String($0.prefix(500)) })
  }

  /// The server's `Retry-After` in seconds; `nil` if absent.
  func retryAfter(now: Int) -> Int? {
    guard let text = self["Retry-After"] else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    return HTTPDate.seconds(of: text, now: now).map { max(0, $0 - now) }
  }
}
