import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct PNGFilterTests {
  /// Restores a row byte by byte, as the standard defines.
  private func restored(
    _ filter: PNGFilter, _ filtered: [UInt8], above: [UInt8], pixelBytes: Int
  ) -> [UInt8] {
    var row = filtered
    for index in row.indices {
      let a = index < pixelBytes ? 0 : Int(row[index - pixelBytes])
      let b = Int(above[index])
      let c = index < pixelBytes ? 0 : Int(above[index - pixelBytes])
      let prediction: Int
      switch filter {
      case .none: prediction = 0
      case .sub: prediction = a
      case .up: prediction = b
      case .average: prediction = (a + b) / 2
      case .paeth:
        let p = a + b - c
        let distances = [abs(p - a), abs(p - b), abs(p - c)]
        let nearest = distances.min()
        prediction = distances[0] == nearest ? a : distances[1] == nearest ? b : c
      }
      row[index] = UInt8((Int(row[index]) + prediction) % 256)
    }
    return row
  }

  /// Few levels, so that predictions are often equal.
  private func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    let levels: [UInt8] = [0, 1, 2, 127, 128, 254, 255]
    return (0..<count).map { _ in levels[Int.random(in: 0..<7, using: &random)] }
  }

  @Test(arguments: PNGFilter.allCases, [1, 2, 3, 4, 6, 8])
  func restoresRowsByTheStandard(filter: PNGFilter, pixelBytes: Int) {
    var random = SplitMix64(seed: UInt64(pixelBytes))
    for pixels in [1, 2, 3, 5, 16, 50] {
      let count = pixels * pixelBytes
      let (filtered, above) = (bytes(count, &random), bytes(count, &random))
      var memory = [UInt8](repeating: 7, count: count + 8)
      memory.withUnsafeMutableBufferPointer { memory in
        // The bytes after the row must stay unchanged.
        var row = memory.extracting(0..<count).mutableSpan
        filter.restore(
          filtered.span, above: above.span, to: &row, pixelBytes: pixelBytes)
      }
      let expected = restored(filter, filtered, above: above, pixelBytes: pixelBytes)
      #expect(memory == expected + [UInt8](repeating: 7, count: 8))
    }
  }

  @Test(arguments: PNGFilter.allCases, 1...4)
  func restoresEncodedRows(filter: PNGFilter, pixelBytes: Int) {
    var random = SplitMix64(seed: 9)
    let (row, above) = (bytes(13 * pixelBytes, &random), bytes(13 * pixelBytes, &random))
    var filtered = row
    _ = filter.apply(to: row, above: above, pixelBytes: pixelBytes, into: &filtered)
    #expect(restored(filter, filtered, above: above, pixelBytes: pixelBytes) == row)
  }
}
