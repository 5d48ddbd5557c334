//===--- Evaluation+Running.swift - running one node ----------------------===//
//
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletOperators

extension Evaluation {
  /// Creates the context of nodes without scratch memory on the stack.
  init(addresses: UnsafePointer<UnsafeMutableRawPointer>, workers: Workers) {
    self.init(
      addresses: addresses, stack: UnsafeMutableRawPointer(mutating: addresses), workers: workers)
  }

  /// Runs a node with `stackByteCount` bytes of scratch memory on the stack.
  func run(_ evaluate: Evaluate, stackByteCount: Int) throws(InferenceError) {
    guard stackByteCount > 0 else { return try evaluate(self) }
    var failure: InferenceError?
    StackMemory.with(stackByteCount) { stack in
      do throws(InferenceError) {
        try evaluate(Evaluation(addresses: addresses, stack: stack, workers: workers))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
