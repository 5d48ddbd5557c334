//===--- FaceFile.swift - face networks with constant outputs -------------===//

import MartletModel

/// A network with an image input and constant outputs.
package struct FaceFile: Sendable {
  let side: Int32
  let outputs: [(shape: [Int32], values: [Float])]

  package init(side: Int32, outputs: [(shape: [Int32], values: [Float])]) {
    self.side = side
    self.outputs = outputs
  }

  package var bytes: [UInt8] {
    let input: [Int: FlatField] = [
      0: .int32s([1, side, side, 3]), 1: .uint8(3), 2: .int32(0), 3: .string("image"),
      4: .table([2: .floats([1.0 / 255]), 3: .int64s([0])]),
    ]
    let tensors = outputs.enumerated().map { index, output -> [Int: FlatField] in
      [
        0: .int32s(output.shape), 1: .uint8(0), 2: .int32(Int32(index + 1)),
        3: .string("output \(index)"),
      ]
    }
    let root: [Int: FlatField] = [
      0: .int32(3),
      2: .tables([
        [
          0: .tables([input] + tensors), 1: .int32s([0]),
          2: .int32s(outputs.indices.map { Int32($0 + 1) }),
        ]
      ]),
      4: .tables(
        [[:]]
          + outputs.map { [0: .bytes($0.values.flatMap(\.bitPattern.littleEndianBytes))] }),
    ]
    return FlatBufferWriter(.table(root), identifier: "TFL3").bytes
  }
}

extension FaceFile {
  /// The face of a cell. Box and key points are relative to the cell's center, in units of the
  /// level's face size.
  package struct Cell: Sendable {
    let level, index: Int
    let logit, logarithm: Float

    /// A face of the level's size times e to the power of `logarithm`.
    package init(level: Int, index: Int, logit: Float, logarithm: Float = 0) {
      (self.level, self.index, self.logit, self.logarithm) = (level, index, logit, logarithm)
    }

    /// Width and height of the box, and the key points' offsets from the center.
    var numbers: [Float] {
      [
        0, 0, logarithm, logarithm, -0.2, -0.15, 0.2, -0.15, 0, 0.05, 0, 0.25, -0.45, -0.05, 0.45,
        -0.05,
      ]
    }
  }

  /// A detector for 64 x 64 pixels with cells of 8, 16 and 32 pixels, of which these have a face.
  package static func detector(_ cells: [Cell]) -> FaceFile {
    var outputs: [(shape: [Int32], values: [Float])] = []
    for (level, count) in [8, 4, 2].enumerated() {
      var logits = [Float](repeating: -20, count: count * count)
      var numbers = [Float](repeating: 0, count: 16 * count * count)
      for cell in cells where cell.level == level {
        logits[cell.index] = cell.logit
        numbers.replaceSubrange(16 * cell.index..<16 * cell.index + 16, with: cell.numbers)
      }
      outputs.append(([1, Int32(count), Int32(count), 1], logits))
      outputs.append(([1, Int32(count), Int32(count), 16], numbers))
    }
    return FaceFile(side: 64, outputs: outputs)
  }

  /// A mesh network that returns the canonical face, shifted by `shift`, with the score `logit`.
  package static func mesh(logit: Float = 5, shift: Float = 0) -> FaceFile {
    FaceFile(
      side: 16,
      outputs: [
        ([1, 936], [Float](repeating: shift, count: 936)),
        ([1, 468], [Float](repeating: 0, count: 468)), ([1, 1], [logit]),
      ])
  }

  package static func probability(_ value: Float) -> FaceFile {
    FaceFile(side: 8, outputs: [([1, 1], [value])])
  }
}
