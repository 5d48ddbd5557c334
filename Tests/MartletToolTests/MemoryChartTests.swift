@testable import MartletInference
import Testing

@testable import MartletTool

@Suite struct MemoryChartTests {
  /// Rows from the highest address to the lowest, without their labels.
  func rows(_ blocks: [MemoryBlock]) -> [String] {
    let names = blocks.compactMap(\.tensor).map { "t\($0)" }
    return MemoryChart(blocks, names: names).text.split(separator: "\n").dropFirst()
      .compactMap { line in
        line.split(separator: "|", maxSplits: 1).dropFirst().first.map(String.init)
      }
  }

  @Test func drawsBlockAsLetterDuringItsLifetime() {
    let blocks = [
      MemoryBlock(tensor: 0, offset: 0, byteCount: 12, lifetime: 0...3),
      MemoryBlock(tensor: 1, offset: 12, byteCount: 6, lifetime: 1...2),
      MemoryBlock(tensor: nil, offset: 18, byteCount: 6, lifetime: 2...2),
    ]
    // 24 bytes in 24 rows: one byte per row.
    let expected =
      [String](repeating: "..*.", count: 6) + [String](repeating: ".BB.", count: 6)
      + [String](repeating: "AAAA", count: 12)
    #expect(rows(blocks) == expected)
  }

  @Test func emptyArenaIsOneLine() {
    #expect(MemoryChart([], names: []).text.split(separator: "\n").count == 1)
  }

  @Test func manyStepsAndLongNamesFitTheWidth() {
    let blocks = (0..<1000).map {
      MemoryBlock(tensor: $0, offset: 64 * ($0 % 7), byteCount: 64, lifetime: $0...$0 + 5)
    }
    let names = (0..<1000).map { _ in String(repeating: "name/", count: 40) }
    let text = MemoryChart(blocks, names: names).text
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= MemoryChart.width })
  }

  @Test func columnOfManyStepsShowsTheFullestStep() {
    // Only step 499 has a second block; its column must show it.
    let blocks = [
      MemoryBlock(tensor: 0, offset: 0, byteCount: 64, lifetime: 0...999),
      MemoryBlock(tensor: 1, offset: 64, byteCount: 64, lifetime: 499...499),
    ]
    #expect(rows(blocks)[0].filter { $0 == "B" }.count == 1)
  }
}
