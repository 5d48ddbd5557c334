//===--- ByteTable.swift - a function of one byte -------------------------===//
//
// Eight-bit operators that apply a real function to each element look it up: there are only 256
// arguments.
//
// Contract  Entries are LiteRT's: the argument is dequantised, and the result scaled by the inverse
//           of the output's scale and rounded ties away from zero, all in single precision.
// Checked   Tests/MartletReferenceTests/ByteTableTests.swift
//===----------------------------------------------------------------------===//

import MartletMath
import MartletTensor

/// The results of a function for every value of an eight-bit integer.
@usableFromInline
package struct ByteTable<Scalar: FixedWidthInteger & Sendable>: Sendable {
  /// The results by the argument's bits.
  @usableFromInline
  let entries: [Scalar]

  /// The table of `function`, which takes and gives real numbers.
  @export(implementation)
  package init(
    input: Quantization, output: Quantization, _ function: (Float) -> Float
  ) {
    let inverse = 1 / output.scale
    let lowest = Float(Int(Scalar.min))
    let highest = Float(Int(Scalar.max))
    entries = (0..<256).map { pattern in
      let argument = Int(Scalar(truncatingIfNeeded: pattern)) - input.zeroPoint
      let result = function(input.scale * Float(argument))
      let steps = VectorMath.round(result * inverse) + Float(output.zeroPoint)
      // What is no number, or below all, becomes the lowest.
      return Scalar(steps > lowest ? min(steps, highest) : lowest)
    }
  }

  /// The table of `function`, which takes integers of eight bits.
  @export(implementation)
  package init<Argument: FixedWidthInteger>(of function: (Argument) -> Scalar) {
    entries = (0..<256).map { function(Argument(truncatingIfNeeded: $0)) }
  }

  @export(implementation) @inline(__always)
  package subscript(argument: Scalar) -> Scalar {
    entries[Int(UInt8(truncatingIfNeeded: argument))]
  }
}

extension Reference {
  /// Each element's entry in the table; `input` and `output` may be the same memory.
  @export(implementation)
  package static func lookUp<Argument: FixedWidthInteger, Scalar: FixedWidthInteger & Sendable>(
    _ input: UnsafeMutableBufferPointer<Argument>, in table: ByteTable<Scalar>,
    into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    table.entries.withUnsafeBufferPointer { entries in
      guard let x = input.baseAddress, let y = output.baseAddress, let entry = entries.baseAddress
      else { return }
      for i in 0..<input.count { y[i] = entry[Int(UInt8(truncatingIfNeeded: x[i]))] }
    }
  }
}
