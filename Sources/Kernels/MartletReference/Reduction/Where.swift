//===--- Where.swift - WHERE ----------------------------------------------===//
//
// The coordinates of all elements that are not zero, in row-major order.
//
// Contract  TFLite WHERE. NaN is not zero, -0 is. Rows beyond the end of `output` are dropped: its
//           size was computed before a node of the same segment could change the elements.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  /// Writes a row of coordinates for each element of `x` for which `holds` is true.
  @export(implementation)
  package static func coordinates<Scalar>(
    _ x: UnsafeMutableBufferPointer<Scalar>, _ shape: Shape,
    into output: UnsafeMutableBufferPointer<Int64>, where holds: (Scalar) -> Bool
  ) {
    var row = 0
    for (i, element) in x.enumerated() where holds(element) {
      guard row + shape.rank <= output.count else { return }
      var rest = i
      for axis in (0..<shape.rank).reversed() {
        let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: shape[axis])
        output[row + axis] = Int64(remainder)
        rest = quotient
      }
      row += shape.rank
    }
  }
}
