//===--- MemoryChart.swift - memory plan as a text chart ------------------===//
//
// Time runs to the right, addresses run upwards. Each column is a step of the graph (of several,
// the one that uses the most memory), each row a band of the arena. A letter is the block that
// takes most of the band, a star is scratch memory, a dot is free. The largest blocks are listed
// below by their letters.
//
// Contract  No line is longer than `width` characters.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference

struct MemoryChart {
  static let width = 100
  private static let margin = 12
  private static let rows = 24
  private static let listed = 12
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  private let blocks: [MemoryBlock]
  private let byteCount: Int
  private let names: [String]

  /// A chart of `blocks`; `names` are the tensors' names.
  init(_ blocks: [MemoryBlock], names: [String]) {
    self.blocks = blocks
    self.byteCount = blocks.reduce(0) { max($0, $1.offset + $1.byteCount) }
    self.names = names
  }

  var text: String {
    let last = blocks.map(\.lifetime.upperBound).max() ?? 0
    var lines = ["memory plan: \(byteCount) bytes upwards, steps 0 to \(last) to the right"]
    guard byteCount > 0 else { return lines[0] }
    let columns = columns(of: last + 1)
    let rows = min(MemoryChart.rows, byteCount)
    for row in (0..<rows).reversed() {
      let band = byteCount * row / rows..<byteCount * (row + 1) / rows
      let address = String(band.lowerBound)
      let space = String(repeating: " ", count: max(MemoryChart.margin - 2 - address.count, 0))
      lines.append(space + address + " |" + String(columns.map { cell(band, at: $0) }))
    }
    lines += legend
    return lines.joined(separator: "\n")
  }

  /// The step that each column shows.
  private func columns(of steps: Int) -> [Int] {
    let count = min(steps, MemoryChart.width - MemoryChart.margin)
    var used = [Int](repeating: 0, count: steps)
    for block in blocks {
      for step in block.lifetime { used[step] += block.byteCount }
    }
    return (0..<count).map { column in
      let steps = steps * column / count..<steps * (column + 1) / count
      return steps.max { (used[$0], $1) < (used[$1], $0) } ?? steps.lowerBound
    }
  }

  private func cell(_ band: Range<Int>, at step: Int) -> Character {
    var best: (index: Int, bytes: Int)?
    for (index, block) in blocks.enumerated() where block.lifetime.contains(step) {
      let place = block.offset..<block.offset + block.byteCount
      let bytes = place.clamped(to: band).count
      if bytes > best?.bytes ?? 0 { best = (index, bytes) }
    }
    return best.map { letter(of: $0.index) } ?? "."
  }

  private func letter(of index: Int) -> Character {
    blocks[index].tensor == nil
      ? "*" : MemoryChart.letters[index % MemoryChart.letters.count]
  }

  private var legend: [String] {
    let largest = blocks.indices.sorted {
      (blocks[$1].byteCount, $0) < (blocks[$0].byteCount, $1)
    }.prefix(MemoryChart.listed).filter { blocks[$0].byteCount > 0 }
    return largest.map { index in
      let block = blocks[index]
      let name = block.tensor.map { "tensor \($0) \(names[$0])" } ?? "scratch memory"
      let life = "steps \(block.lifetime.lowerBound)-\(block.lifetime.upperBound)"
      let line = "  \(letter(of: index)) \(block.byteCount) bytes, \(life), \(name)"
      return String(line.prefix(MemoryChart.width))
    }
  }
}
