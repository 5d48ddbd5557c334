//===--- FloorDivision.swift - FLOOR_DIV, FLOOR_MOD -----------------------===//
//
// ⌊a / b⌋, and a - ⌊a / b⌋ b, which has the sign of b.
//
// Contract  TFLite FLOOR_DIV and FLOOR_MOD. Integer divisors are not zero. The lowest integer
//           divided by -1 is itself. (In LiteRT the result is that or the highest, depending on the
//           element's position in memory, and the 32-bit FLOOR_MOD stops the program.) Float
//           quotients are computed in double precision. A float remainder is C's `fmod`, plus b if
//           the signs differ; NaN for a divisor of zero.
// Cost      One pass, a division for each element.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  @export(implementation)
  package static func floorDivide<Scalar: Element & FixedWidthInteger>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      let quotient = $0.dividedReportingOverflow(by: $1).partialValue
      let rest = $0.remainderReportingOverflow(dividingBy: $1).partialValue
      return rest != 0 && (rest < 0) != ($1 < 0) ? quotient &- 1 : quotient
    }
  }

  @export(implementation)
  package static func floorRemainder<Scalar: Element & FixedWidthInteger>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      let rest = $0.remainderReportingOverflow(dividingBy: $1).partialValue
      return rest != 0 && (rest < 0) != ($1 < 0) ? rest &+ $1 : rest
    }
  }

  package static func floorDivide(
    _ a: UnsafeMutableBufferPointer<Float>, _ b: UnsafeMutableBufferPointer<Float>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      Float(VectorMath.floor(Double($0) / Double($1)))
    }
  }

  package static func floorRemainder(
    _ a: UnsafeMutableBufferPointer<Float>, _ b: UnsafeMutableBufferPointer<Float>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      let rest = VectorMath.remainder($0, $1)
      return rest != 0 && (rest < 0) != ($1 < 0) ? rest + $1 : rest
    }
  }
}
