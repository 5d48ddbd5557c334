//===--- ReferenceQuantizedSum.swift - ADD, SUB on integers ---------------===//
//
// Contract  Bit for bit LiteRT 2.3.0: see `QuantizedSum`.
// Cost      That of the sum for each element.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  @export(implementation)
  package static func add<Scalar: Element & FixedWidthInteger>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, _ sum: QuantizedSum, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      Scalar(truncatingIfNeeded: sum(Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $1)))
    }
  }
}
