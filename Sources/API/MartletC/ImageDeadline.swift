//===--- ImageDeadline.swift - the time limit of each image ---------------===//
//
// Contract  Begins again with each image. Used on one thread. The module for browsers has no clock:
//           martlet.js limits the time there.
//===----------------------------------------------------------------------===//

import MartletBase

#if hasFeature(Embedded)
  /// Without a clock there is no limit.
  struct ImageDeadline {
    static let hasClock = false

    init?(seconds: Double?) { return nil }
    func begin() {}
    var check: CancellationCheck { .never }
  }
#else
  /// The time limit of decoding an image and running networks on it.
  final class ImageDeadline: Sendable {
    /// Whether there is a clock.
    static let hasClock = true

    private let limit: Duration
    // The owner's decoders and networks ask on its thread.
    nonisolated(unsafe) private var end: ContinuousClock.Instant

    /// A limit that begins now; `nil` without one.
    init?(seconds: Double?) {
      guard let seconds else { return nil }
      limit = .seconds(seconds)
      unsafe end = .now + limit
    }

    /// Begins the time again.
    func begin() { unsafe end = .now + limit }

    /// The check of decoders and networks.
    var check: CancellationCheck {
      CancellationCheck { [self] in unsafe ContinuousClock.now < end ? nil : .deadlineExceeded }
    }
  }
#endif
