import Foundation
import Testing

@testable import MartletImage

@Suite struct PixelNormalizationTests {
  @Test func matchesNumPy() throws {
    let golden = Golden.shared.normalization
    let input = try image(golden.width, golden.height, golden.pixels)
    let normalization = try PixelNormalization(
      mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375])
    var floats = [Float](repeating: .nan, count: 18)
    try floats.withUnsafeMutableBufferPointer { try input.normalize(normalization, into: $0) }
    let wanted = golden.floats.withUnsafeBytes { raw in
      (0..<18).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
    #expect(floats.map(\.bitPattern) == wanted)
  }

  @Test func singleValueAppliesToAllChannels() throws {
    let input = try image(1, 1, [0, 127, 255])
    var floats = [Float](repeating: .nan, count: 3)
    let normalization = try PixelNormalization(mean: [127.5], deviation: [127.5])
    try floats.withUnsafeMutableBufferPointer { try input.normalize(normalization, into: $0) }
    // 1 / 127.5 is 0x1.010102p-7 in Float; its products with ±127.5 round to ±1.
    #expect(floats[0] == -1)
    #expect(abs(floats[1] + 0.5 / 127.5) < 1e-9)
    #expect(floats[2] == 1)
  }

  @Test func copiesBytesUnsignedOrSigned() throws {
    let input = try image(1, 2, [0, 1, 127, 128, 254, 255])
    var unsigned = [UInt8](repeating: 77, count: 6)
    try unsigned.withUnsafeMutableBufferPointer { try input.copy(into: $0) }
    #expect(unsigned == input.pixels)
    var signed = [Int8](repeating: 77, count: 6)
    try signed.withUnsafeMutableBufferPointer { try input.copySigned(into: $0) }
    #expect(signed == [-128, -127, -1, 0, 126, 127])
  }

  @Test func rejectsOtherDestinations() throws {
    let input = try image(1, 2, [0, 1, 2, 3, 4, 5])
    var short = [Float](repeating: 0, count: 5)
    let normalization = try PixelNormalization(mean: [0], deviation: [1])
    #expect(throws: ImageError.wrongDestinationCount(count: 5, expected: 6)) {
      try short.withUnsafeMutableBufferPointer { try input.normalize(normalization, into: $0) }
    }
  }

  @Test func rejectsUnusableValues() {
    #expect(throws: ImageError.wrongNormalizationCount(means: 2, deviations: 2)) {
      try PixelNormalization(mean: [1, 2], deviation: [1, 2])
    }
    #expect(throws: ImageError.wrongNormalizationCount(means: 1, deviations: 3)) {
      try PixelNormalization(mean: [1], deviation: [1, 2, 3])
    }
    #expect(throws: ImageError.wrongNormalizationCount(means: 0, deviations: 0)) {
      try PixelNormalization(mean: [], deviation: [])
    }
    for value in [0, -1, .infinity, .leastNonzeroMagnitude] as [Float] {
      #expect(throws: ImageError.invalidDeviation(channel: 1, value: value)) {
        try PixelNormalization(mean: [0, 0, 0], deviation: [1, value, 1])
      }
    }
  }
}
