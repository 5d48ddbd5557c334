//===--- IdleInterpreters.swift - interpreters between runs ---------------===//
//
// Contract  `take` returns each interpreter to one caller at a time.
// Cost      At most 8 idle ones are kept, each with its arena, and after 256 runs only as many as
//           were needed in them.
//===----------------------------------------------------------------------===//

/// Interpreters between runs. Unchecked because an interpreter serves one task at a time: the lock hands
/// out each one once.
final class IdleInterpreters: @unchecked Sendable {
  /// The largest number of idle interpreters.
  static let limit = 8
  /// The number of runs after which those that were not needed in them are freed.
  static let period = 256

  private let lock: Lock
  private(set) var interpreters: [Interpreter]
  /// The runs of this period, and the fewest idle interpreters in it: so many were not needed.
  private var runCount = 0
  private var surplus = 1

  init(_ first: Interpreter, lock: Lock) {
    self.lock = lock
    interpreters = [first]
  }

  func take() -> Interpreter? {
    lock.withLock {
      let interpreter = interpreters.popLast()
      surplus = min(surplus, interpreters.count)
      return interpreter
    }
  }

  /// Keeps an interpreter for later runs, if they need it.
  func put(_ interpreter: Interpreter) {
    // Arenas are freed after the lock.
    let unneeded: ArraySlice<Interpreter> = lock.withLock {
      if interpreters.count < IdleInterpreters.limit { interpreters.append(interpreter) }
      runCount += 1
      guard runCount == IdleInterpreters.period else { return [] }
      let unneeded = interpreters.prefix(surplus)
      interpreters.removeFirst(surplus)
      (runCount, surplus) = (0, interpreters.count)
      return unneeded
    }
    extendLifetime(unneeded)
  }

  /// Frees all; the next runs make new ones.
  func trim() {
    let unneeded: [Interpreter] = lock.withLock {
      defer { (interpreters, surplus) = ([], 0) }
      return interpreters
    }
    extendLifetime(unneeded)
  }
}
