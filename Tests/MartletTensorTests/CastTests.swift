import MartletTensor
import Testing

@Suite struct CastTests {
  private func cast<From: BitwiseCopyable, To>(
    _ x: [From], _ from: ElementType, _ to: ElementType, _ zero: To
  ) -> [To] {
    var y = [To](repeating: zero, count: x.count)
    x.withUnsafeBytes { x in
      y.withUnsafeMutableBytes { y in
        guard let source = x.baseAddress, let target = y.baseAddress else { return }
        Reference.cast(
          source, from, into: target, to, count: x.count / MemoryLayout<From>.stride)
      }
    }
    return y
  }

  @Test func cutsFractionsAndSaturates() {
    let x: [Float] = [-1.9, 1.9, -300, 300, .nan, .infinity, -0.5, 127.5]
    #expect(cast(x, .float32, .int8, Int8(0)) == [-1, 1, -128, 127, 127, 127, 0, 127])
    #expect(cast(x, .float32, .uint8, UInt8(0)) == [0, 1, 0, 255, 255, 255, 0, 127])
    #expect(
      cast([0x1p63, -0x1p63, 0x1p62], .float64, .int64, Int64(0)) == [.max, .min, 1 << 62])
  }

  @Test func keepsTheLowBitsOfIntegers() {
    #expect(cast([Int32(257), -1, 128], .int32, .uint8, UInt8(0)) == [1, 255, 128])
    #expect(cast([Int64(1) << 32 + 5, -2], .int64, .int32, Int32(0)) == [5, -2])
    #expect(cast([UInt8(200)], .uint8, .int8, Int8(0)) == [-56])
  }

  @Test func takesAllButZeroForTrue() {
    #expect(cast([Float(0), -0.1, .nan], .float32, .bool, false) == [false, true, true])
    #expect(cast([Int32(0), 256], .int32, .bool, false) == [false, true])
    #expect(cast([true, false], .bool, .float32, Float(7)) == [1, 0])
  }

  @Test func roundsLargeIntegersToFloats() {
    #expect(cast([Int32(16_777_217), .max], .int32, .float32, Float(0)) == [16_777_216, 0x1p31])
  }

  @Test func knowsWhatItCasts() {
    #expect(ElementType.allCases.filter(Reference.casts).count == 10)
    #expect(!Reference.casts(.string) && !Reference.casts(.int4))
  }
}
