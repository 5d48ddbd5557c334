//===--- CancellationCheck+TimeLimit.swift - time limits for work ---------===//

public import MartletBase

extension CancellationCheck {
  /// Returns a check that stops each operation that takes longer than `limit`: the preparation of a
  /// model, or one run of it.
  public static func timeLimit(_ limit: Duration) -> CancellationCheck {
    CancellationCheck(startingWith: {
      let end = MonotonicClock.now + limit
      return CancellationCheck { MonotonicClock.now < end ? nil : .deadlineExceeded }
    })
  }
}
