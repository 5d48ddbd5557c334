//===--- WeightFields.swift - what an integer column needs besides weights ===//
//
// Integer microkernels read, before the weights of some columns, the column's bias and its factor:
// [width] each of biases, left factors, mantissas, right exponents and masks.
//===----------------------------------------------------------------------===//

import MartletTensor

extension Requantizer {
  /// The number of 32-bit integers of each column.
  static let fieldCount = 5

  /// Whether a factor shifts left, which is rare.
  var shiftsLeft: Bool { multipliers.contains { $0.shift > 0 } }

  /// Writes the fields of a column into a panel that starts at `offset`.
  func writeFields(
    of column: Int, bias: Int32, at offset: Int, width: Int, into packed: inout [Int32]
  ) {
    let factor = multipliers[column]
    let right = max(-factor.shift, 0)
    let fields = [
      bias, Int32(1) &<< max(factor.shift, 0), factor.mantissa, right,
      Int32(truncatingIfNeeded: (Int64(1) &<< Int64(right)) - 1),
    ]
    for (index, field) in fields.enumerated() { packed[offset + index * width] = field }
  }
}

/// Two neighbours as an integer microkernel reads them.
func pair(_ low: Int16, _ high: Int16) -> Int32 {
  Int32(high) &<< 16 | (Int32(low) & 0xffff)
}

/// Bytes as they are stored, and what stands for zero among them: signed bytes become unsigned by a
/// flip of the top bit, and so does their zero point.
package struct ByteZero: Sendable {
  let flip: UInt8
  let zeroPoint: Int16

  package init(signed zeroPoint: Int32) {
    flip = 0x80
    self.zeroPoint = Int16(truncatingIfNeeded: zeroPoint + 128)
  }

  package init(unsigned zeroPoint: Int32) {
    flip = 0
    self.zeroPoint = Int16(truncatingIfNeeded: zeroPoint)
  }
}
