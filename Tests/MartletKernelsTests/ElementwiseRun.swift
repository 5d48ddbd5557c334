import MartletRuntime
import MartletWorkers

@testable import MartletKernels

/// Who computes, and with which loops over elements.
struct ElementwiseRun: Sendable {
  let workers: Workers
  let loops: ElementwiseLoops

  /// The workers and the instruction sets that every element-wise kernel is tried with.
  static let all: [ElementwiseRun] = ElementwiseLoops.available.flatMap { loops in
    [Workers.serial, .pool(count: 2), .pool(count: 4)].map {
      ElementwiseRun(workers: $0, loops: loops)
    }
  }
}
