//===--- IntegerPairs.swift - arithmetic of two quantised tensors ---------===//
//
// ADD, SUB and MUL on uint8, int8 and int16, with broadcasting.
//
// Contract  Bit for bit the reference kernels.
// Cost      One pass; no allocation.
// Checked   Tests/MartletKernelsTests/IntegerPairsTests.swift
//===----------------------------------------------------------------------===//

import MartletReference

import MartletRuntime

import MartletTensor

/// Two tensors of quantised integers to one of the same type, element by element.
package struct IntegerPairs: Sendable {
  private enum Arithmetic: Sendable {
    case sum(QuantizedSum, ElementwiseLoops.SumLoop)
    case product(QuantizedProduct)
  }

  private let runs: PairedRuns
  private let arithmetic: Arithmetic
  private let type: ElementType
  private let loops: ElementwiseLoops

  /// A sum or a difference of tensors of `type`, or `nil` where it is none, or the factors of its
  /// operands are not less than one.
  package init?(
    _ sum: QuantizedSum, _ walk: Broadcast, of type: ElementType, workers: Int,
    loops: ElementwiseLoops = .current
  ) {
    guard !sum.isSquared, sum.scaleA.shift <= 0, sum.scaleB.shift <= 0 else { return nil }
    self.init(.sum(sum, loops.loop(for: sum, of: type)), walk, type, workers, loops)
  }

  /// A product of tensors of `type`.
  package init(
    _ product: QuantizedProduct, _ walk: Broadcast, of type: ElementType, workers: Int,
    loops: ElementwiseLoops = .current
  ) {
    self.init(.product(product), walk, type, workers, loops)
  }

  private init(
    _ arithmetic: Arithmetic, _ walk: Broadcast, _ type: ElementType, _ workers: Int,
    _ loops: ElementwiseLoops
  ) {
    self.arithmetic = arithmetic
    self.type = type
    self.loops = loops
    let size = type.bitWidth / 8
    runs = PairedRuns(walk, size: (size, size, size), lanes: loops.lanes, workers: workers)
  }

  package func callAsFunction(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into y: UnsafeMutableRawPointer, workers: Workers
  ) {
    runs.forEach(a, b, into: y, workers: workers) { a, aStep, b, bStep, count, y in
      switch arithmetic {
      case .sum(let sum, let loop): loop(a, aStep, b, bStep, count, sum, type, y)
      case .product(let product):
        loops.quantizedProduct(a, aStep, b, bStep, count, product, type, y)
      }
    }
  }
}

extension ElementwiseLoops {
  /// The quickest loop that computes a sum: of bytes the quick one, if it gives the same for each of
  /// all pairs.
  fileprivate func loop(for sum: QuantizedSum, of type: ElementType) -> SumLoop {
    guard type != .int16, let byteSum else { return quantizedSum }
    let bytes = (UInt8.min ... .max).map { $0 }
    var results = [UInt8](repeating: 0, count: 2 * bytes.count)
    let isSame = bytes.withUnsafeBytes { bytes in
      results.withUnsafeMutableBytes { results in
        guard let all = bytes.baseAddress, let y = results.baseAddress else { return false }
        let count = bytes.count
        for first in 0..<count {
          quantizedSum(all + first, 0, all, 1, count, sum, type, y)
          byteSum(all + first, 0, all, 1, count, sum, type, y + count)
          guard results[..<count].elementsEqual(results[count...]) else { return false }
        }
        return true
      }
    }
    return isSame ? byteSum : quantizedSum
  }
}
