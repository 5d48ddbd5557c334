//===--- ByteTable.swift - 8-bit function tables --------------------------===//
//
// Eight-bit operators that apply a real function to each element use a table of its 256 results.
//
// Contract  Entries are LiteRT's: the argument is dequantized, and the result scaled by the inverse
//           of the output's scale and rounded ties away from zero, all in single precision.
//===----------------------------------------------------------------------===//

import MartletBase

/// The results of a function for every value of an eight-bit integer.
@usableFromInline
package struct ByteTable<Scalar: FixedWidthInteger & Sendable>: Sendable {
  /// The results by the argument's bits.
  @usableFromInline
  let entries: [Scalar]
  /// The constant that the function adds to every byte, as between uint8 and int8; `nil` for other
  /// functions.
  @usableFromInline
  let shift: UInt8?

  /// The table of `function`, a function of real numbers.
  @export(implementation)
  package init(
    input: Quantization, output: Quantization, _ function: (Float) -> Float
  ) {
    let inverse = 1 / output.scale
    let lowest = Float(Int(Scalar.min))
    let highest = Float(Int(Scalar.max))
    self.init(
      (0..<256).map { pattern in
        let argument = Int(Scalar(truncatingIfNeeded: pattern)) - input.zeroPoint
        let result = function(input.scale * Float(argument))
        let steps = VectorMath.round(result * inverse) + Float(output.zeroPoint)
        // NaN and values below the range become the lowest.
        return Scalar(steps > lowest ? min(steps, highest) : lowest)
      })
  }

  /// The table of `function`, a function of 8-bit integers.
  @export(implementation)
  package init<Argument: FixedWidthInteger>(of function: (Argument) -> Scalar) {
    self.init((0..<256).map { function(Argument(truncatingIfNeeded: $0)) })
  }

  @export(implementation)
  init(_ entries: [Scalar]) {
    self.entries = entries
    let first = UInt8(truncatingIfNeeded: entries[0])
    let isShift = entries.indices.allSatisfy {
      UInt8(truncatingIfNeeded: entries[$0]) == UInt8(truncatingIfNeeded: $0) &+ first
    }
    shift = Scalar.bitWidth == 8 && isShift ? first : nil
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
    if let shift = table.shift {
      return add(
        shift, to: UnsafeRawBufferPointer(input), into: UnsafeMutableRawBufferPointer(output))
    }
    table.entries.withUnsafeBufferPointer { entries in
      guard let x = input.baseAddress, let y = output.baseAddress, let entry = entries.baseAddress
      else { return }
      for i in 0..<input.count { y[i] = entry[Int(UInt8(truncatingIfNeeded: x[i]))] }
    }
  }

  /// Adds `shift` to every byte, sixteen at a time.
  @usableFromInline
  static func add(
    _ shift: UInt8, to input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) {
    let whole = input.count & ~15
    for i in stride(from: 0, to: whole, by: 16) {
      let bytes = input.loadUnaligned(fromByteOffset: i, as: SIMD16<UInt8>.self)
      output.storeBytes(
        of: bytes &+ SIMD16(repeating: shift), toByteOffset: i, as: SIMD16<UInt8>.self)
    }
    for i in whole..<input.count { output[i] = input[i] &+ shift }
  }
}
