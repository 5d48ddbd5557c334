//===--- Retries.swift - retries and delays -------------------------------===//
//
// Contract  Temporary failures are retried: refused, lost and slow connections, unresolved host
//           names, 408, 429 and 5xx. Untrusted certificates and malformed responses are not. The
//           delay doubles up to a limit, or is the server's `Retry-After` if longer. A failure is
//           final if the next attempt would begin after the deadline.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// Counts failures and waits after each.
struct Retries {
  /// The number of new bytes that resets the count of failures: 64 KiB.
  static let progress = 1 << 16

  let policy: RetryPolicy
  let clock: HostingClock
  /// The end by the monotonic clock.
  let deadline: TimeInterval
  private var failures = 0

  init(_ policy: RetryPolicy, _ clock: HostingClock, until deadline: TimeInterval) {
    self.policy = policy
    self.clock = clock
    self.deadline = deadline
  }

  /// Waits until the next attempt, or throws the failure if it is final.
  ///
  /// - Parameter gain: The number of new bytes that were received before the failure.
  mutating func wait(
    after failure: TransferFailure, gain: Int = 0
  ) async throws(ModelHostingError) {
    guard failure.error.isTransient else { throw failure.error }
    if gain >= Retries.progress { failures = 0 }
    failures += 1
    guard failures < policy.maximumAttempts else { throw failure.error }
    var delay = policy.delay(afterFailures: failures)
    if let seconds = failure.retryAfter {
      guard TimeInterval(seconds) <= policy.maximumRetryAfter else { throw failure.error }
      delay = max(delay, TimeInterval(seconds))
    }
    guard MonotonicClock.now + delay < deadline else { throw failure.error }
    do { try await clock.sleep(delay) } catch { throw .cancelled }
  }
}

extension ModelHostingError {
  /// Whether the same request may succeed later.
  package var isTransient: Bool {
    switch self {
    case .status(408, _), .status(429, _), .status(500..., _), .tooSlow: true
    // Invalid URLs, certificates and malformed responses do not change by waiting.
    case .connection(let code, _):
      ![
        NSURLErrorBadURL, NSURLErrorUnsupportedURL, NSURLErrorDataLengthExceedsMaximum,
        NSURLErrorCannotParseResponse,
      ].contains(code)
        && !(NSURLErrorClientCertificateRequired...NSURLErrorSecureConnectionFailed).contains(code)
    default: false
    }
  }
}
