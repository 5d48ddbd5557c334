//===--- JPEGForwardDCT.swift - forward cosine transform ------------------===//
//
// T.81, A.3.3, as two products with a matrix of cosines in units of 1/8192. Rows come first and are
// rounded to 1/8; then columns, rounded to integers.
//
// Contract  Differs by at most one from the exact transform, for samples from -128 to 127.
// Cost      1,024 multiply-adds.
// Checked   Tests/MartletCodecsTests/JPEGEncoderTests.swift
//===----------------------------------------------------------------------===//

enum JPEGForwardDCT {
  /// Writes the coefficients of 64 samples to `result`, both in natural order.
  static func transform(_ samples: ArraySlice<Int32>, to result: inout [Int32]) {
    var rows = SIMD64<Int32>()
    for row in 0..<8 {
      for frequency in 0..<8 {
        var sum: Int32 = 1 << 9
        for column in 0..<8 {
          sum += samples[samples.startIndex + 8 * row + column] * cosines[8 * frequency + column]
        }
        rows[8 * row + frequency] = sum >> 10
      }
    }
    for frequency in 0..<8 {
      for column in 0..<8 {
        var sum: Int32 = 1 << 15
        for row in 0..<8 { sum += rows[8 * row + column] * cosines[8 * frequency + row] }
        result[8 * frequency + column] = sum >> 16
      }
    }
  }

  /// 4096 cos(i π / 16) for i from 0 to 8.
  private static let quarter: [Int32] = [4096, 4017, 3784, 3406, 2896, 2276, 1567, 799, 0]

  /// 4096 cos((2 n + 1) k π / 16) at 8 k + n; the first row is divided by the square root of two.
  private static let cosines: [Int32] = {
    var values = [Int32](repeating: quarter[4], count: 64)
    for frequency in 1..<8 {
      for column in 0..<8 {
        let angle = (2 * column + 1) * frequency % 32
        let folded = min(angle, 32 - angle)
        values[8 * frequency + column] = folded > 8 ? -quarter[16 - folded] : quarter[folded]
      }
    }
    return values
  }()
}
