//===--- Power.swift - POW ------------------------------------------------===//
//
// y = aᵇ
//
// Contract  TFLite POW. Integer exponents are not negative; products wrap around, as in two's
//           complement. (LiteRT also wraps if one exponent serves all elements; otherwise it
//           converts a double, which is undefined in C++ if it does not fit.) Special cases of
//           floats are those of C.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  package static func power(
    _ a: UnsafeMutableBufferPointer<Float>, _ b: UnsafeMutableBufferPointer<Float>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) { VectorMath.pow($0, $1) }
  }

  package static func power(
    _ a: UnsafeMutableBufferPointer<Int32>, _ b: UnsafeMutableBufferPointer<Int32>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Int32>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      var (square, exponent, result) = ($0, $1, Int32(1))
      while exponent > 0 {
        if exponent & 1 == 1 { result = result &* square }
        square = square &* square
        exponent >>= 1
      }
      return result
    }
  }
}
