//===--- SmallAnswer.swift - an answer that is kept in memory -------------===//
//
// Checked   Tests/MartletHostingTests/DownloadTests.swift, FirebaseTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import MartletHTTP
import Synchronization

/// Keeps an answer, up to a number of bytes.
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
    // What a server says beyond measure of its refusal is not worth an error of its own.
    if count > limit, !isRefusal { throw .tooLarge(bytes: count, limit: limit) }
  }
}

extension TransportResponse {
  /// The error that the status is, with the words that Firebase's errors have in their body:
  /// `{"error": {"message": "…"}}`.
  func failure(_ body: Data) -> ModelHostingError {
    struct Failure: Decodable {
      struct Reason: Decodable { let message: String }
      let error: Reason
    }
    let message = try? JSONDecoder().decode(Failure.self, from: body).error.message
    return .status(status, message: message.map { String($0.prefix(500)) })
  }

  /// After how many seconds the server wants to be asked again.
  func retryAfter(now: Int) -> Int? {
    guard let text = self["Retry-After"] else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    return HTTPDate.seconds(of: text, now: now).map { max(0, $0 - now) }
  }
}
