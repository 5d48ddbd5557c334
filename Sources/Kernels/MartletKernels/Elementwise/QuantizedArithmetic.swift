//===--- QuantizedArithmetic.swift - quantized ADD, SUB, MUL --------------===//
//
// ADD, SUB and MUL on uint8, int8 and int16, with broadcasting.
//
// Contract  Bit-exact with the reference kernels.
// Cost      One pass; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// An elementwise operation on two tensors of quantized integers of the same type.
package struct QuantizedArithmetic: Sendable {
  private enum Arithmetic: Sendable {
    case sum(QuantizedSum, @Sendable (QuantizedAdd) -> Void)
    case product(QuantizedProduct)
  }

  private let runs: BroadcastRuns
  private let arithmetic: Arithmetic
  private let type: ElementType
  private let kernels: Microkernels

  /// Creates a sum or a difference of tensors of `type`. Returns `nil` if it is neither, or if a
  /// factor of its operands is not less than one.
  package init?(
    _ sum: QuantizedSum, _ walk: Broadcast, of type: ElementType, workers: Int,
    kernels: Microkernels = .current
  ) {
    guard !sum.isSquared, sum.scaleA.shift <= 0, sum.scaleB.shift <= 0 else { return nil }
    self.init(.sum(sum, kernels.quantizedAdd(for: sum, of: type)), walk, type, workers, kernels)
  }

  /// Creates a product of tensors of `type`.
  package init(
    _ product: QuantizedProduct, _ walk: Broadcast, of type: ElementType, workers: Int,
    kernels: Microkernels = .current
  ) {
    self.init(.product(product), walk, type, workers, kernels)
  }

  private init(
    _ arithmetic: Arithmetic, _ walk: Broadcast, _ type: ElementType, _ workers: Int,
    _ kernels: Microkernels
  ) {
    self.arithmetic = arithmetic
    self.type = type
    self.kernels = kernels
    let size = type.bitWidth / 8
    runs = BroadcastRuns(walk, size: (size, size, size), lanes: kernels.lanes, workers: workers)
  }

  package func callAsFunction(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into y: UnsafeMutableRawPointer, workers: Workers
  ) {
    // The choice is made once: runs may be as short as a row of channels.
    switch arithmetic {
    case .sum(let sum, let add):
      runs.forEach(a, b, into: y, workers: workers) { add(QuantizedAdd($0, sum, of: type)) }
    case .product(let product):
      let multiply = kernels.quantizedMultiply
      runs.forEach(a, b, into: y, workers: workers) {
        multiply(QuantizedMultiply($0, product, of: type))
      }
    }
  }
}

extension QuantizedAdd {
  fileprivate init(_ run: BinaryRun, _ sum: QuantizedSum, of type: ElementType) {
    self.init(
      run: run, type: type,
      a: Addend(zeroPoint: sum.zeroPointA, scale: sum.scaleA, factor: sum.factorA),
      b: Addend(zeroPoint: sum.zeroPointB, scale: sum.scaleB, factor: sum.factorB),
      extraBits: sum.extraBits,
      y: QuantizedResult(zeroPoint: sum.zeroPointY, scale: sum.scaleY, range: sum.range))
  }
}

extension QuantizedMultiply {
  fileprivate init(_ run: BinaryRun, _ product: QuantizedProduct, of type: ElementType) {
    self.init(
      run: run, type: type, zeroPointA: product.zeroPointA, zeroPointB: product.zeroPointB,
      y: QuantizedResult(
        zeroPoint: product.zeroPointY, scale: product.scale, range: product.range))
  }
}

extension Microkernels {
  /// Returns the fastest kernel that computes a sum. For bytes this is the kernel in double
  /// precision, if its results are equal for all pairs of bytes. Only pairs near a half can differ.
  fileprivate func quantizedAdd(
    for sum: QuantizedSum, of type: ElementType
  ) -> @Sendable (QuantizedAdd) -> Void {
    guard type != .int16, let int8AddInDouble else { return quantizedAdd }
    let bytes = (UInt8.min ... .max).map { $0 }
    var results = [UInt8](repeating: 0, count: 2 * bytes.count)
    let isSame = bytes.withUnsafeBytes { bytes in
      results.withUnsafeMutableBytes { results in
        guard let all = bytes.baseAddress, let y = results.baseAddress else { return false }
        let count = bytes.count
        func run(_ first: Int, into y: UnsafeMutableRawPointer) -> QuantizedAdd {
          let run = BinaryRun(
            a: Operand(all + first, isRepeated: true), b: Operand(all, isRepeated: false),
            count: count, y: y)
          return QuantizedAdd(run, sum, of: type)
        }
        for first in sum.rowsNearHalves(of: type) {
          quantizedAdd(run(first, into: y))
          int8AddInDouble(run(first, into: y + count))
          var difference: UInt64 = 0
          for start in stride(from: 0, to: count, by: 8) {
            difference |=
              y.loadUnaligned(fromByteOffset: start, as: UInt64.self)
              ^ y.loadUnaligned(fromByteOffset: count + start, as: UInt64.self)
          }
          guard difference == 0 else { return false }
        }
        return true
      }
    }
    return isSame ? int8AddInDouble : quantizedAdd
  }
}

extension QuantizedSum {
  /// The first bytes whose sum with some second byte is so close to a half that intermediate
  /// rounding may decide the result.
  fileprivate func rowsNearHalves(of type: ElementType) -> [Int] {
    let bytes = UInt8.min ... .max
    // Intermediate results are off by at most three steps of the common scale.
    let steps = 3 * scaleY.value * 0x1p16
    guard steps < 0x1p12,
      [zeroPointA, zeroPointB].allSatisfy({ (-128...255).contains($0) })
    else { return bytes.map { Int($0) } }
    // Fractions in 1/65536, which wrap as UInt16 does. Each is off by less than one.
    func fractions(_ factor: Double, zero: Int32) -> [UInt16] {
      bytes.map {
        let byte = type == .int8 ? Int32(Int8(bitPattern: $0)) : Int32($0)
        return UInt16(truncatingIfNeeded: Int64(factor * Double(byte - zero) * 0x1p16))
      }
    }
    let margin = UInt16(steps) + 3
    let second = fractions(factorB, zero: zeroPointB)
    return fractions(factorA, zero: zeroPointA).enumerated().filter { _, first in
      let start = first &+ 0x8000 &+ margin
      return second.withUnsafeBufferPointer { second in
        second.reduce(UInt16.max) { min($0, $1 &+ start) } <= 2 * margin
      }
    }.map { $0.offset }
  }
}
