//===--- SpaceBatch.swift - SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND ----------===//
//
// Pads a spatial tensor and divides it into blocks: each position in a block becomes a batch. The
// inverse crops the border.
//
// Contract  Elements are moved as bytes. [N, H, W, C] to [bh·bw·N, H', W', C] with
//           H' = (top + H + bottom) / bh; batch (i·bw + j)·N + n holds the elements at position
//           (i, j) of the blocks of batch n.
// Cost      One pass; pixels are copied as runs.
//===----------------------------------------------------------------------===//

/// The extents of the spatial side and of the blocks.
package struct SpaceBatchExtents: Sendable {
  package var batches: Int
  package var height: Int
  package var width: Int
  /// The bytes of a pixel.
  package var pixel: Int
  package var blockHeight: Int
  package var blockWidth: Int
  /// The border before the first row and column: added in one direction, cropped in the other.
  package var top: Int
  package var left: Int
  /// The extents of each batch on the batch side.
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
  /// pixel that it corresponds to, or `nil` in the border.
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

  /// From batches to space; the border is cropped.
  package func toSpace(_ batch: UnsafeRawPointer, into space: UnsafeMutableRawPointer) {
    forEachPixel { index, spatial in
      guard let spatial else { return }
      (space + spatial).copyMemory(from: batch + index * pixel, byteCount: pixel)
    }
  }
}
