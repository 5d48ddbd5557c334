//===--- Throughput.swift - the most multiply-adds of a second ------------===//
//
// Chains of multiply-adds that never leave the registers: what other kernels are measured against. Each step needs the one before, so nothing can be moved out of the loop; there are
// enough chains to hide that.
//
// Checked   by use, in benchmarks: no other loop may come out faster
//===----------------------------------------------------------------------===//

extension Level {
  /// What sixteen registers have room for beside two factors. Of many more the compiler makes a loop
  /// over memory.
  private static var chains: Int { 12 }

  package static var throughputRound: Int { chains * lanes }

  package static func float32Throughput(
    rounds: Int, _ x: Float, _ w: Float, into y: UnsafeMutablePointer<Float>
  ) {
    let x = Lanes(repeating: x)
    let w = Lanes(repeating: w)
    var sums = InlineArray<12, Lanes>(repeating: w)
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
    var sums = InlineArray<12, Sums>(repeating: x)
    for _ in 0..<rounds {
      for i in 0..<chains { sums[i] = addPairs(sums[i], sums[i], x) }
    }
    var total = Sums.zero
    for i in 0..<chains { total &+= sums[i] }
    store(total, to: y)
  }
}
