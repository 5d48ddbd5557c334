import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Uint8ResampleTests {
  private static let precision: Int32 = 22

  /// Weights that sum to one, split into two parts and paired.
  private func weights(_ count: Int, _ random: inout SplitMix64) -> (whole: [Int32], pairs: [Int32])
  {
    let one: Int32 = 1 << Uint8ResampleTests.precision
    var left = one
    var whole = (1..<max(count, 1)).map { _ in
      let weight = Int32.random(in: 0...left, using: &random)
      left -= weight
      return weight
    }
    whole.append(left)
    var pairs: [Int32] = []
    for tap in stride(from: 0, to: count, by: 2) {
      let (a, b) = (whole[tap], tap + 1 < count ? whole[tap + 1] : 0)
      pairs += [a >> 15 | (b >> 15) << 16, a & 0x7FFF | (b & 0x7FFF) << 16]
    }
    return (whole, pairs)
  }

  @Test(arguments: [8, 9, 15, 16, 31, 32, 33, 63, 64, 100], [1, 2, 3, 8, 13])
  func columnsAreExactOnAllInstructionSets(rowBytes: Int, count: Int) {
    var random = SplitMix64(seed: UInt64(rowBytes * 100 + count))
    var rows: [UInt8] = random.integers(rowBytes * count)
    let (whole, packed) = weights(count, &random)
    var pairs = packed
    let expected = (0..<rowBytes).map { x in
      let sum = whole.indices.reduce(Int64(1) << 21) { sum, tap in
        sum + Int64(rows[tap * rowBytes + x]) * Int64(whole[tap])
      }
      return UInt8(sum >> 22)
    }
    for kernels in Microkernels.available {
      var result = [UInt8](repeating: 99, count: rowBytes)
      buffer(&rows) { rows in
        buffer(&pairs) { pairs in
          buffer(&result) { y in
            guard let rows = rows.baseAddress, let pairs = pairs.baseAddress,
              let y = y.baseAddress
            else { return }
            kernels.uint8ResampleColumns(
              Uint8ResampleColumns(
                rows: rows, rowBytes: rowBytes, count: count, weights: pairs,
                precision: Uint8ResampleTests.precision, y: y))
          }
        }
      }
      #expect(result == expected)
    }
  }

  /// Outputs with up to `most` taps and the last with one, and `slack` bytes after the row.
  @Test(arguments: [1, 2, 3, 4, 7, 8, 9, 16, 17], [0, 5, 120])
  func rowsAreExactOnAllInstructionSets(most: Int, slack: Int) {
    var random = SplitMix64(seed: UInt64(most * 100 + slack))
    let columns = 24
    var pixels: [UInt8] = random.integers(3 * columns + slack)
    var windows: [ResampleWindow] = []
    var pairs: [Int32] = []
    var expected: [UInt8] = []
    for x in 0..<columns {
      let count = min(most, columns - x)
      let (whole, packed) = weights(count, &random)
      windows.append(ResampleWindow(start: x, count: count, firstWeight: pairs.count))
      pairs += packed
      while !pairs.count.isMultiple(of: 2 * ResampleWindow.group) { pairs.append(0) }
      expected += (0..<3).map { channel in
        let sum = whole.indices.reduce(Int64(1) << 21) { sum, tap in
          sum + Int64(pixels[3 * (x + tap) + channel]) * Int64(whole[tap])
        }
        return UInt8(sum >> 22)
      }
    }
    for kernels in Microkernels.available {
      var result = [UInt8](repeating: 99, count: 3 * columns)
      var done = 0
      buffer(&pixels) { pixels in
        buffer(&windows) { windows in
          buffer(&pairs) { pairs in
            buffer(&result) { y in
              guard let row = pixels.baseAddress, let windows = windows.baseAddress,
                let pairs = pairs.baseAddress, let y = y.baseAddress
              else { return }
              done = kernels.uint8ResampleRow(
                Uint8ResampleRow(
                  row: row, byteCount: pixels.count, windows: windows, weights: pairs,
                  mostPairs: (most + 1) / 2, columns: columns, isHalving: false,
                  precision: Uint8ResampleTests.precision, y: y))
            }
          }
        }
      }
      // Outputs near the end may be left out if whole vectors (at most 88 bytes) would read beyond
      // the row.
      #expect(done <= columns && done >= min(columns, (pixels.count - 88) / 3))
      #expect(result.prefix(3 * done) == expected.prefix(3 * done))
    }
  }
}
