//===--- Throughput.swift - peak multiply-adds ----------------------------===//
//
// Chains of multiply-adds in registers, as the upper limit for other kernels. Each step depends on
// the previous one, so none can be moved out of the loop; several chains hide the latency.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  /// The chains that fit in sixteen registers next to two factors. For many more, the compiler
  /// emits a loop over memory.
  private static var chains: Int { 12 }

  package static var throughputRound: Int { chains * lanes }

  package static func float32Throughput(
    rounds: Int, _ x: Float, _ w: Float, into y: UnsafeMutablePointer<Float>
  ) {
    let x = Lanes(repeating: x)
    let w = Lanes(repeating: w)
    var sums = Registers12<Lanes>(repeating: w)
    for _ in 0..<rounds {
      for i in 0..<chains { sums[i] = multiplyAdd(w, sums[i], x) }
    }
    var total = Lanes.zero
    for i in 0..<chains { total += sums[i] }
    store(total, to: y)
  }

  package static func int16Throughput(
    rounds: Int, _ x: Int32, into y: UnsafeMutablePointer<Int32>
  ) {
    let x = Sums(repeating: x)
    var sums = Registers12<Sums>(repeating: x)
    for _ in 0..<rounds {
      for i in 0..<chains { sums[i] = addPairs(sums[i], sums[i], x) }
    }
    var total = Sums.zero
    for i in 0..<chains { total &+= sums[i] }
    store(total, to: y)
  }
}
