//===--- DecimalNumber+Exports.swift - number parsing ---------------------===//
//
// The functions that parse `Float` and `Double`, which Embedded Swift expects the program to
// define.
//===----------------------------------------------------------------------===//

#if hasFeature(Embedded)
  @_cdecl("_swift_stdlib_strtof_clocale")
  package func singleNumber(
    _ text: UnsafePointer<CChar>, _ result: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<CChar>? { unsafe number(text, result) }

  @_cdecl("_swift_stdlib_strtod_clocale")
  package func doubleNumber(
    _ text: UnsafePointer<CChar>, _ result: UnsafeMutablePointer<Double>
  ) -> UnsafePointer<CChar>? { unsafe number(text, result) }

  /// Parses a number in a text that ends with a zero byte. Returns the number's end, or `nil`.
  private func number<Value: BinaryFloatingPoint>(
    _ text: UnsafePointer<CChar>, _ result: UnsafeMutablePointer<Value>
  ) -> UnsafePointer<CChar>? {
    var count = 0
    while unsafe text[count] != 0 { count += 1 }
    let bytes = unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
    guard let number = DecimalNumber<Value>(bytes) else { return nil }
    unsafe result.pointee = number.value
    return unsafe text + number.length
  }
#endif
