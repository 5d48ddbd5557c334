import Testing

@testable import MartletBase

@Suite struct ElementTypeTests {
  /// `TensorType` of the TensorFlow Lite schema, in order from 0.
  static let schema = [
    "float32", "float16", "int32", "uint8", "int64", "string", "bool", "int16", "complex64",
    "int8", "float64", "complex128", "uint64", "resource", "variant", "uint32", "uint16", "int4",
    "bfloat16", "int2", "uint4", "float8_e4m3fn", "float8_e5m2",
  ]

  @Test func rawValuesMatchTheSchema() {
    for (number, name) in Self.schema.enumerated() {
      #expect(ElementType(rawValue: UInt8(number))?.description == name)
    }
    #expect(ElementType.allCases.count == Self.schema.count)
  }

  @Test func bitWidthMatchesTheName() {
    for type in ElementType.allCases where type.description.contains(where: \.isNumber) {
      #expect(
        type.bitWidth == Int(type.description.drop { !$0.isNumber }.prefix { $0.isNumber }),
        "\(type)")
    }
    #expect(ElementType.bool.bitWidth == 8)
    for type in [ElementType.string, .resource, .variant] { #expect(type.bitWidth == 0) }
  }

  @Test(arguments: [
    (ElementType.float32, 3, 12), (.int4, 3, 2), (.int4, 4, 2), (.int2, 5, 2), (.int8, 0, 0),
    (.complex128, 2, 32), (.string, 9, 0),
  ])
  func packsTypesNarrowerThanAByte(type: ElementType, count: Int, bytes: Int) {
    #expect(type.byteCount(of: count) == bytes)
  }

  @Test func returnsNilIfTheSizeOverflows() {
    #expect(ElementType.float32.byteCount(of: .max / 31) == nil)
    #expect(ElementType.int8.byteCount(of: .max / 8) == .max / 8)
    #expect(ElementType.int8.byteCount(of: .max / 8 + 1) == nil)
    // The bits fit, but rounding up to bytes overflows.
    #expect(ElementType.int2.byteCount(of: .max / 2) == nil)
  }

  @Test func mapsSwiftTypesToElementTypes() {
    func expect<T: Element & FixedWidthInteger>(_: T.Type) {
      let name = (T.isSigned ? "int" : "uint") + String(T.bitWidth)
      #expect(T.elementType.description == name)
    }
    expect(Int8.self)
    expect(UInt8.self)
    expect(Int16.self)
    expect(Int32.self)
    expect(Int64.self)
    #expect(Float.elementType == .float32)
    #expect(Double.elementType == .float64)
  }
}
