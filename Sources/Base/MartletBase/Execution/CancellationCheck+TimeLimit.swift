//===--- CancellationCheck+TimeLimit.swift - time limits for work ---------===//

#if !hasFeature(Embedded)
  extension CancellationCheck {
    /// Returns a check that stops each operation that takes longer than a number of seconds: the
    /// preparation of a model, or one run of it.
    public static func timeLimit(seconds: Double) -> CancellationCheck {
      CancellationCheck(startingWith: {
        let end = MonotonicClock.now + seconds
        return CancellationCheck { MonotonicClock.now < end ? nil : .deadlineExceeded }
      })
    }
  }
#endif
