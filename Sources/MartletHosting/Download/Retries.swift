//===--- Retries.swift - asking again, and when ---------------------------===//
//
// Contract  Failures that time may mend are retried: refused, lost and slow connections, names that are not
//           found, 408, 429 and 5xx. Certificates that are not trusted and malformed answers are not. The
//           delay doubles from one to the next up to a limit, or is what the server asks for. A failure is
//           final if the next attempt would begin after the deadline.
// Checked   Tests/MartletHostingTests/RetryTests.swift
//===----------------------------------------------------------------------===//

import Foundation

/// Counts failures and waits after each.
struct Retries {
  /// So many bytes are progress, after which counting starts anew.
  static let progress = 1 << 16

  let policy: RetryPolicy
  let clock: HostingClock
  let deadline: ContinuousClock.Instant
  private var failures = 0

  init(_ policy: RetryPolicy, _ clock: HostingClock, until deadline: ContinuousClock.Instant) {
    self.policy = policy
    self.clock = clock
    self.deadline = deadline
  }

  /// Waits until it is time to ask again, or throws the failure if it is not worth it.
  ///
  /// - Parameter gain: How many bytes came before the failure that had never come before.
  mutating func wait(
    after failure: TransferFailure, gain: Int = 0
  ) async throws(ModelHostingError) {
    guard failure.error.isTransient else { throw failure.error }
    if gain >= Retries.progress { failures = 0 }
    failures += 1
    guard failures < policy.maximumAttempts else { throw failure.error }
    var delay = policy.delay(afterFailures: failures)
    if let seconds = failure.retryAfter {
      guard Duration.seconds(seconds) <= policy.maximumRetryAfter else { throw failure.error }
      delay = max(delay, .seconds(seconds))
    }
    guard ContinuousClock.now + delay < deadline else { throw failure.error }
    do { try await clock.sleep(delay) } catch { throw .cancelled }
  }
}

extension ModelHostingError {
  /// Whether the same request may succeed later.
  var isTransient: Bool {
    switch self {
    case .status(408, _), .status(429, _), .status(500..., _), .tooSlow: true
    // What the address or the server's certificate is does not change by waiting, nor how an answer is
    // written.
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
