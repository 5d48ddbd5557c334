//===--- ReferenceQuantizedProduct.swift - MUL on integers ----------------===//
//
// Contract  Bit for bit LiteRT 2.3.0: see `QuantizedProduct`.
// Cost      That of the product for each element.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  @export(implementation)
  package static func multiply<
    Scalar: Element & FixedWidthInteger, Result: Element & FixedWidthInteger
  >(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, _ product: QuantizedProduct,
    into y: UnsafeMutableBufferPointer<Result>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      Result(
        truncatingIfNeeded: product(Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $1)))
    }
  }
}
