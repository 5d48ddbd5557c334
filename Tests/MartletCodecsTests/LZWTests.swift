import MartletTestSupport
import Testing

@testable import MartletCodecs

/// An encoder of codes, written from the specifications of GIF and TIFF.
struct LZWEncoder {
  private var bits: [Bool] = []
  private let isLowestFirst: Bool

  init(isLowestFirst: Bool) { self.isLowestFirst = isLowestFirst }

  mutating func add(_ code: Int, _ width: Int) {
    let places = isLowestFirst ? Array(0..<width) : (0..<width).reversed()
    bits += places.map { code >> $0 & 1 == 1 }
  }

  var bytes: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(start + 8, bits.count)].enumerated().reduce(0 as UInt8) { byte, bit in
        byte | (bit.element ? 1 << UInt8(isLowestFirst ? bit.offset : 7 - bit.offset) : 0)
      }
    }
  }

  /// Codes for `data`. A full table is cleared, or kept if `isDeferred`.
  mutating func encode(_ data: [UInt8], rootBits: Int, isEarly: Bool, isDeferred: Bool) {
    let (clear, early) = (1 << rootBits, isEarly ? 1 : 0)
    // The code of each code and byte.
    var (table, width, free): ([Int: Int], Int, Int) = ([:], rootBits + 1, clear + 2)
    add(clear, width)
    var code = Int(data[0])
    for byte in data.dropFirst() {
      if let longer = table[code << 8 | Int(byte)] {
        code = longer
        continue
      }
      add(code, width)
      if free < 4095 {
        table[code << 8 | Int(byte)] = free
        free += 1
        // The decoder adds this entry with the next code.
        if free - 1 == 1 << width - early, width < 12 { width += 1 }
      } else if !isDeferred {
        add(clear, width)
        (table, width, free) = ([:], rootBits + 1, clear + 2)
      }
      code = Int(byte)
    }
    add(code, width)
    if free == 1 << width - early, width < 12 { width += 1 }
    add(clear + 1, width)
  }
}

@Suite struct LZWTests {
  private func decode<Order: LZWBitOrder>(
    _ order: Order.Type, _ stream: [UInt8], rootBits: Int, isEarly: Bool = false, count: Int
  ) -> (bytes: [UInt8], end: LZWDecoder<Order>.End) {
    var decoder = LZWDecoder<Order>(rootBits: rootBits, isEarly: isEarly)
    var output = [UInt8](repeating: 0, count: count)
    let result = unsafe output.withUnsafeMutableBufferPointer {
      unsafe decoder.decode(
        stream.span, stream.indices, to: $0, DecodingWork(byteCount: stream.count, .serial))
    }
    return (Array(output.prefix(result.count)), result.end)
  }

  /// Bytes below `limit` in short runs: enough to fill the table.
  private func data(below limit: Int, count: Int = 12_000) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(limit))
    var data: [UInt8] = []
    while data.count < count {
      let byte = UInt8.random(in: 0..<UInt8(clamping: limit), using: &random)
      data += [UInt8](repeating: byte, count: .random(in: 1...4, using: &random))
    }
    return data
  }

  @Test(arguments: 2...8, [false, true])
  func decodesCodesOfGIF(_ rootBits: Int, _ isDeferred: Bool) {
    let data = data(below: 1 << rootBits)
    var encoder = LZWEncoder(isLowestFirst: true)
    encoder.encode(data, rootBits: rootBits, isEarly: false, isDeferred: isDeferred)
    let result = decode(
      LowestBitFirst.self, encoder.bytes, rootBits: rootBits, count: data.count + 1)
    #expect(result.bytes.elementsEqual(data))
    #expect(result.end == .endCode)
  }

  @Test(arguments: [2, 16, 256])
  func decodesCodesOfTIFF(_ limit: Int) {
    let data = data(below: limit)
    var encoder = LZWEncoder(isLowestFirst: false)
    encoder.encode(data, rootBits: 8, isEarly: true, isDeferred: false)
    let result = decode(
      HighestBitFirst.self, encoder.bytes, rootBits: 8, isEarly: true, count: data.count)
    #expect(result.bytes.elementsEqual(data))
    #expect(result.end == .full)
  }

  /// The code is that of the entry that it adds: a byte and itself.
  @Test func decodesTheCodeThatIsBeingDefined() {
    var encoder = LZWEncoder(isLowestFirst: true)
    for code in [4, 1, 6, 7] { encoder.add(code, 3) }
    encoder.add(5, 4)
    let result = decode(LowestBitFirst.self, encoder.bytes, rootBits: 2, count: 9)
    #expect(result.bytes == [1, 1, 1, 1, 1, 1])
    #expect(result.end == .endCode)
  }

  @Test func stopsAtUnknownCodes() {
    for (codes, count) in [([4, 6], 0), ([4, 1, 7], 1), ([4, 1, 4, 6], 1)] {
      var encoder = LZWEncoder(isLowestFirst: true)
      for code in codes { encoder.add(code, 3) }
      let result = decode(LowestBitFirst.self, encoder.bytes, rootBits: 2, count: 9)
      #expect(result.bytes == [UInt8](repeating: 1, count: count))
      #expect(result.end == .badCode)
    }
  }

  @Test func cutsStringsAtTheEndOfTheOutput() {
    let data = data(below: 2, count: 100)
    var encoder = LZWEncoder(isLowestFirst: true)
    encoder.encode(data, rootBits: 2, isEarly: false, isDeferred: false)
    for count in 1...data.count {
      let result = decode(LowestBitFirst.self, encoder.bytes, rootBits: 2, count: count)
      #expect(result.bytes == Array(data.prefix(count)))
      #expect(result.end == .full)
    }
  }

  @Test func stopsAtTheEndOfTheStream() {
    let data = data(below: 200, count: 400)
    var encoder = LZWEncoder(isLowestFirst: false)
    encoder.encode(data, rootBits: 8, isEarly: true, isDeferred: false)
    for end in encoder.bytes.indices {
      let result = decode(
        HighestBitFirst.self, Array(encoder.bytes.prefix(end)), rootBits: 8, isEarly: true,
        count: data.count + 1)
      #expect(data.starts(with: result.bytes))
      #expect(result.end == .endOfStream)
    }
  }
}
