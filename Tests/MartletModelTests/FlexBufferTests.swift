import MartletTestSupport
import Testing

@testable import MartletModel

/// The bytes of a hexadecimal text.
private func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.utf8.map { UInt8($0 > 57 ? $0 - 87 : $0 - 48) }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Expected bytes are the output of the `flatbuffers` package 25.12.19 for Python.
@Suite struct FlexBufferTests {
  private func read(_ bytes: [UInt8]) throws(FlexBufferError) -> FlexBuffer {
    try FlexBuffer(FileBytes(bytes), in: 0..<bytes.count)
  }

  @Test(arguments: [
    ("fb0401", FlexBuffer.int(-5)), ("d4fe0502", .int(-300)), ("90eefeff0604", .int(-70000)),
    ("0000000000ffffff0708", .int(-(1 << 40))), ("c80801", .uint(200)), ("60ea0902", .uint(60000)),
    ("00286bee0a04", .uint(4_000_000_000)), ("ffffffffffffffff0b08", .uint(.max)),
    ("0000003f0e04", .float(0.5)), ("9a9999999999b93f0f08", .float(0.1)), ("016801", .bool(true)),
    ("000001", .null), ("02686900031401", .string("hi")), ("020102026401", .blob([1, 2])),
    // 1.5 as a half, which the Python package does not write.
    ("003e0d02", .float(1.5)), ("01000d02", .float(0x1p-24)), ("00fc0d02", .float(-.infinity)),
  ])
  func readsARootOfEveryType(hex: String, value: FlexBuffer) throws {
    #expect(try read(bytes(hex)) == value)
  }

  /// A map as the converter writes it for TFLite_Detection_PostProcess, with all kinds of values.
  static let options = bytes(
    "6d61785f646574656374696f6e73006e6d735f696f755f7468726573686f6c64007573655f726567756c61725f6e"
      + "6d7300795f7363616c6500696900fb69750000000000000100006966000000002040747600030102fc66760000"
      + "000000c03f00002040000060407600017800000000040000000000000001000000000000009a9999999999b93f"
      + "1d000000000000000000000000000000070f146b6d006b00010301010107040b5161716e10ad9f5f8f49810000"
      + "000000100000000000000001000000000000000b0000000000000074000000000000008c00000000000000a400"
      + "000000000000a8000000000000004b000000000000000a00000000000000333333333333e33fb4000000000000"
      + "000000000000000000a00000000000000000000000000024405622181f24070f2c6b2b0f632701")

  @Test func readsAMap() throws {
    let map = try read(FlexBufferTests.options)
    #expect(map["max_detections"]?.intValue == 10)
    #expect(map["nms_iou_threshold"]?.floatValue == 0.6)
    #expect(map["use_regular_nms"]?.boolValue == false)
    #expect(map["y_scale"]?.floatValue == 10)
    #expect(map["ii"] == .int(-5))
    #expect(map["iu"] == .uint(1 << 40))
    #expect(map["if"] == .float(2.5))
    #expect(map["tv"] == .vector([.int(1), .int(2), .int(-4)]))
    #expect(map["fv"] == .vector([.float(1.5), .float(2.5), .float(3.5)]))
    #expect(map["v"] == .vector([.int(1), .float(0.1), .string("x"), .bool(false)]))
    #expect(map["m"]?["k"] == .int(7))
    #expect(map["x_scale"] == nil)
  }

  @Test func readsARangeWithinOtherBytes() throws {
    let framed = [9, 9, 9] + FlexBufferTests.options + [9]
    let value = try FlexBuffer(FileBytes(framed), in: 3..<framed.count - 1)
    #expect(try read(FlexBufferTests.options) == value)
  }

  @Test func convertsNumbers() {
    #expect(FlexBuffer.float(-2.75).intValue == -2)
    #expect(FlexBuffer.uint(.max).intValue == nil)
    #expect(FlexBuffer.float(.nan).intValue == nil)
    #expect(FlexBuffer.float(1e300).intValue == nil)
    #expect(FlexBuffer.int(3).floatValue == 3)
    #expect(FlexBuffer.int(2).boolValue == true)
    #expect(FlexBuffer.bool(true).intValue == 1)
    #expect(FlexBuffer.string("1").intValue == nil)
    #expect(FlexBuffer.string("1").stringValue == "1")
    #expect(FlexBuffer.null.boolValue == nil)
  }

  @Test(arguments: [
    ("", FlexBufferError.truncated(offset: -1, count: 1, size: 0)),
    ("01", .truncated(offset: -1, count: 1, size: 1)),
    ("0401", .truncated(offset: -1, count: 1, size: 2)),
    ("000403", .width(offset: 2, found: 3)),
    // A float of one byte.
    ("000c01", .width(offset: 0, found: 1)),
    // Type 27 does not exist.
    ("01006c01", .unknownType(offset: 1, found: 27)),
    // A string one byte longer than the rest of the data, and one without a terminating zero.
    ("04686900031401", .unterminated(offset: 1)),
    ("02686901031401", .unterminated(offset: 1)),
    ("ff686900031401", .truncated(offset: 1, count: 255, size: 7)),
    // An offset beyond the start.
    ("02686900051401", .truncated(offset: 4, count: 5, size: 7)),
    // A key without an end.
    ("6161021001", .unterminated(offset: 0)),
  ])
  func rejectsInvalidFlexBuffer(hex: String, error: FlexBufferError) {
    #expect(throws: error) { _ = try read(bytes(hex)) }
  }

  @Test func rejectsVectorThatContainsItself() {
    // A count of 1, an element at distance 0 (itself), its type (vector), and a root at distance 2
    // of that type.
    let loop: [UInt8] = [1, 0, 40, 2, 40, 1]
    #expect(throws: FlexBufferError.tooDeep(offset: 1, limit: ModelLimits.flexDepth)) {
      _ = try read(loop)
    }
  }

  @Test func limitsTheNumberOfValues() {
    // A vector of 300 references to one vector of 255 nulls: 76,800 values in 20 kB. The 256th
    // reference reaches 300 + 256 * 255 = 65,580.
    let inner: [UInt8] = [255] + [UInt8](repeating: 0, count: 2 * 255)
    let padding = [UInt8](repeating: 0, count: 20_000)
    var bytes = padding + inner + [0] + UInt16(300).littleEndianBytes
    let outer = bytes.count
    for index in 0..<300 { bytes += UInt16(outer + 2 * index - 20_001).littleEndianBytes }
    bytes += [UInt8](repeating: 40, count: 300)
    bytes += UInt16(bytes.count - outer).littleEndianBytes + [41, 2]
    #expect(throws: FlexBufferError.tooManyValues(offset: 20_001, count: 255, limit: 65_536)) {
      _ = try read(bytes)
    }
  }

  @Test func changedBytesDoNotTrap() {
    for offset in FlexBufferTests.options.indices {
      for value in stride(from: UInt8(0), through: 250, by: 10) {
        var copy = FlexBufferTests.options
        copy[offset] = value
        _ = try? read(copy)
        _ = try? read(Array(copy.prefix(offset)))
      }
    }
  }
}
