import MartletBase
import MartletReference
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

  @Test func truncatesAndSaturates() {
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

  @Test func nonzeroIsTrue() {
    #expect(cast([Float(0), -0.1, .nan], .float32, .bool, false) == [false, true, true])
    #expect(cast([Int32(0), 256], .int32, .bool, false) == [false, true])
    #expect(cast([true, false], .bool, .float32, Float(7)) == [1, 0])
  }

  @Test func roundsLargeIntegersToFloats() {
    #expect(cast([Int32(16_777_217), .max], .int32, .float32, Float(0)) == [16_777_216, 0x1p31])
  }

  @Test func roundsToHalvesThroughSinglePrecision() {
    let reals: [Double] = [1.5, 65519.99, 65520, 2049]
    #expect(cast(reals, .float64, .float16, UInt16(0)) == [0x3e00, 0x7bff, 0x7c00, 0x6800])
    #expect(cast(reals, .float64, .bfloat16, UInt16(0)) == [0x3fc0, 0x4780, 0x4780, 0x4500])
    #expect(cast([UInt16(0xbe00), 0x7e00], .float16, .int8, Int8(0)) == [-1, 127])
    #expect(cast([UInt16(0xbfc0), 0x4780], .bfloat16, .float32, Float(0)) == [-1.5, 65536])
  }

  @Test func keepsTheRealPartOfComplexNumbers() {
    let pairs: [SIMD2<Float>] = [[1.5, 2], [0, 1]]
    #expect(cast(pairs, .complex64, .int32, Int32(9)) == [1, 0])
    #expect(cast(pairs, .complex64, .bool, true) == [true, false])
    #expect(cast(pairs, .complex64, .complex64, SIMD2<Float>(7, 7)) == pairs)
    #expect(cast([Int32(3), -4], .int32, .complex64, SIMD2<Float>(7, 7)) == [[3, 0], [-4, 0]])
  }

  @Test func truncatesAndClampsFloats() {
    func cast(_ x: [Float], _ range: ClosedRange<Int8>) -> [Int8] {
      combined(x, [UInt8](), x.count, of: Int8(99)) { x, _, y in
        guard let y = y.baseAddress else { return }
        Reference.cast(x, into: y, clampedTo: range)
      }
    }
    let x: [Float] = [-100, -8.6, -1.9, -0.5, 1.9, 7.9, 15.5, .nan, .infinity, -.infinity]
    #expect(cast(x, -8...7) == [-8, -8, -1, 0, 1, 7, 7, 7, 7, -8])
    #expect(cast(x, -2...1) == [-2, -2, -1, 0, 1, 1, 1, 1, 1, -2])
    #expect(cast(x, 0...15) == [0, 0, 0, 0, 1, 7, 15, 15, 15, 0])
  }

  @Test func listsSupportedTypes() {
    #expect(ElementType.allCases.filter(Reference.casts).count == 13)
    #expect(!Reference.casts(.string) && !Reference.casts(.int4))
  }
}
