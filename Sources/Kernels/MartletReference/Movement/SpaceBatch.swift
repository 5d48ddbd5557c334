//===--- SpaceBatch.swift - SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND ----------===//
//
// A spatial tensor, padded, cut into blocks: each place in a block becomes a batch of its own; and
// back, with the border cropped.
//
// Contract  Elements are moved as bytes. [N, H, W, C] to [bh·bw·N, H', W', C] with
//           H' = (top + H + bottom) / bh; batch (i·bw + j)·N + n holds the elements at place (i, j)
//           of the blocks of batch n.
// Cost      One pass; pixels are copied as runs.
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

/// The extents of the spatial side and of the blocks.
package struct SpaceBatchExtents: Sendable {
  package var batches: Int
  package var height: Int
  package var width: Int
  /// Bytes of a pixel.
  package var pixel: Int
  package var blockHeight: Int
  package var blockWidth: Int
  /// What lies before the first row and column: added one way, cropped the other.
  package var top: Int
  package var left: Int
  /// The extents of each batch on the other side.
  package var blocksDown: Int
  package var blocksAcross: Int

  package init(
    batches: Int, height: Int, width: Int, pixel: Int, blockHeight: Int, blockWidth: Int, top: Int,
    left: Int, blocksDown: Int, blocksAcross: Int
  ) {
    self.batches = batches
    self.height = height
    self.width = width
    self.pixel = pixel
    self.blockHeight = blockHeight
    self.blockWidth = blockWidth
    self.top = top
    self.left = left
    self.blocksDown = blocksDown
    self.blocksAcross = blocksAcross
  }

  /// Calls `body` for each pixel of the batch side in order, with the byte offset of the spatial
  /// pixel that it stands for, or `nil` in the border.
  private func forEachPixel(_ body: (_ index: Int, _ spatial: Int?) -> Void) {
    var index = 0
    guard batches > 0, pixel > 0, blocksDown > 0, blocksAcross > 0 else { return }
    for place in 0..<blockHeight * blockWidth {
      for batch in 0..<batches {
        for blockRow in 0..<blocksDown {
          let row = blockRow * blockHeight + place / blockWidth - top
          for blockColumn in 0..<blocksAcross {
            let column = blockColumn * blockWidth + place % blockWidth - left
            let isInside = row >= 0 && row < height && column >= 0 && column < width
            body(index, isInside ? ((batch * height + row) * width + column) * pixel : nil)
            index += 1
          }
        }
      }
    }
  }

  /// From space to batches; the border is filled with the element at `filler`.
  package func toBatch(
    _ space: UnsafeRawPointer, filler: UnsafeRawPointer, elementSize: Int,
    into batch: UnsafeMutableRawPointer
  ) {
    forEachPixel { index, spatial in
      let target = batch + index * pixel
      if let spatial {
        target.copyMemory(from: space + spatial, byteCount: pixel)
      } else {
        Reference.fill(target, pixel, filler, elementSize)
      }
    }
  }

  /// From batches to space; what lies in the border is left out.
  package func toSpace(_ batch: UnsafeRawPointer, into space: UnsafeMutableRawPointer) {
    forEachPixel { index, spatial in
      guard let spatial else { return }
      (space + spatial).copyMemory(from: batch + index * pixel, byteCount: pixel)
    }
  }
}
