//===--- MemoryPicture.swift - the memory plan as a picture in text -------===//
//
// Time runs down, addresses to the right: each row is a step, each column a part of the arena; a
// letter is a block in use, a dot is free.
//===----------------------------------------------------------------------===//

import MartletInference

struct MemoryPicture {
  private static let columns = 64
  private static let rows = 40
  private let blocks: [MemoryBlock]
  private let byteCount: Int

  init(of interpreter: Interpreter) {
    blocks = interpreter.memoryBlocks
    byteCount = interpreter.arenaByteCount
  }

  var text: String {
    let steps = (blocks.map(\.lifetime.upperBound).max() ?? 0) + 1
    let shown = min(steps, MemoryPicture.rows)
    var lines = ["memory plan: \(byteCount) bytes across, \(steps) steps down"]
    for row in 0..<shown {
      let step = row * steps / shown
      lines.append(line(at: step))
    }
    return lines.joined(separator: "\n")
  }

  private func line(at step: Int) -> String {
    var cells = [Character](repeating: ".", count: MemoryPicture.columns)
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    for (index, block) in blocks.enumerated()
    where block.lifetime.contains(step) && block.byteCount > 0 {
      let first = block.offset * cells.count / byteCount
      let last = (block.offset + block.byteCount - 1) * cells.count / byteCount
      for cell in first...min(last, cells.count - 1) { cells[cell] = letters[index % 26] }
    }
    let number = String(step)
    return String(repeating: " ", count: max(5 - number.count, 0)) + number + " " + String(cells)
  }
}
