//===--- VP8Reconstructor.swift - predicted and coded samples -------------===//
//
// A macroblock is predicted and completed in a small buffer with its neighbors, then copied to the
// planes. The neighbors are samples before the loop filter, so the lowest row of each macroblock
// is kept.
//
// Contract  Outside the frame, samples above are 127 and those to the left 129. To the right above
//           the last macroblock of a row is the last sample above it, as in libwebp.
// Source    RFC 6386, sections 12 and 14.5
//===----------------------------------------------------------------------===//

/// Reconstructs macroblocks in order.
final class VP8Reconstructor {
  /// The distance of rows in the buffer.
  static let stride = 32
  /// The places of the planes in the buffer. Above each is a row, and to the left a column, of
  /// neighbors.
  private static let lumaPlace = stride + 8
  private static let uPlace = lumaPlace + 17 * stride
  private static let vPlace = uPlace + 16

  private let planes: VP8Planes
  private let buffer = UnmanagedMemory<UInt8>(zeros: 27 * stride)
  /// The lowest rows of the macroblocks above: 16 luma samples a macroblock, with 4 more after the
  /// last, and 8 of each chroma plane.
  private let lumaAbove, uAbove, vAbove: UnmanagedMemory<UInt8>

  init(_ planes: VP8Planes) {
    self.planes = planes
    lumaAbove = UnmanagedMemory(zeros: 16 * planes.columns + 4)
    uAbove = UnmanagedMemory(zeros: 8 * planes.columns)
    vAbove = UnmanagedMemory(zeros: 8 * planes.columns)
    for memory in [lumaAbove, uAbove, vAbove] {
      unsafe memory.base.update(repeating: 127, count: memory.count)
    }
  }

  /// The memory is used only by this object.
  deinit {
    unsafe buffer.deallocate()
    unsafe lumaAbove.deallocate()
    unsafe uAbove.deallocate()
    unsafe vAbove.deallocate()
  }

  /// Reconstructs a macroblock from its modes and coefficients.
  func reconstruct(
    _ macroblock: VP8Macroblock, _ blocks: UnmanagedMemory<UInt8>,
    _ coefficients: VP8CoefficientReader, column: Int, row: Int
  ) {
    loadNeighbors(column, row)
    let luma = unsafe buffer.base + Self.lumaPlace
    if macroblock.isSplit {
      reconstructBlocks(blocks, coefficients)
    } else {
      unsafe VP8Prediction(samples: luma, side: 16, hasAbove: row > 0, hasLeft: column > 0)
        .predict(macroblock.luma)
      for block in 0..<16 {
        unsafe addBlock(block, coefficients, luma + Self.offset(block, columns: 4))
      }
    }
    for (plane, place) in [Self.uPlace, Self.vPlace].enumerated() {
      let samples = unsafe buffer.base + place
      unsafe VP8Prediction(samples: samples, side: 8, hasAbove: row > 0, hasLeft: column > 0)
        .predict(macroblock.chroma)
      for block in 0..<4 {
        unsafe addBlock(
          16 + 4 * plane + block, coefficients, samples + Self.offset(block, columns: 2))
      }
    }
    storeSamples(column, row)
  }

  /// The offset of a block in a plane with this number of blocks in a row.
  @inline(__always) private static func offset(_ block: Int, columns: Int) -> Int {
    4 &* (block / columns &* stride &+ block & (columns &- 1))
  }

  private func reconstructBlocks(
    _ modes: UnmanagedMemory<UInt8>, _ coefficients: VP8CoefficientReader
  ) {
    let luma = unsafe buffer.base + Self.lumaPlace
    // Blocks of the last column use the same samples to the right above in all rows.
    let right = unsafe luma + 16 - Self.stride
    for y in 1..<4 { unsafe (right + 4 * y * Self.stride).update(from: right, count: 4) }
    for block in 0..<16 {
      let samples = unsafe luma + Self.offset(block, columns: 4)
      unsafe VP8BlockPrediction(samples: samples).predict(modes.base[block])
      unsafe addBlock(block, coefficients, samples)
    }
  }

  /// Adds what the coefficients of a block say.
  @inline(__always)
  private func addBlock(
    _ block: Int, _ coefficients: VP8CoefficientReader, _ samples: UnsafeMutablePointer<UInt8>
  ) {
    let input = unsafe coefficients.coefficients.base + 16 &* block
    switch unsafe coefficients.contents.base[block] {
    case VP8CoefficientReader.Content.nothing: return
    case VP8CoefficientReader.Content.firstOnly:
      unsafe VP8Transform.add(first: input[0], to: samples, stride: Self.stride)
    default: unsafe VP8Transform.add(input, to: samples, stride: Self.stride)
    }
  }

  /// Places the neighbors of a macroblock around its samples. All places are inside the buffer.
  private func loadNeighbors(_ column: Int, _ row: Int) {
    let (luma, u, v) = unsafe (
      buffer.base + Self.lumaPlace, buffer.base + Self.uPlace, buffer.base + Self.vPlace
    )
    unsafe loadLeft(luma, 16, column, row)
    unsafe loadLeft(u, 8, column, row)
    unsafe loadLeft(v, 8, column, row)
    unsafe (luma - Self.stride).update(from: lumaAbove.base + 16 * column, count: 20)
    unsafe (u - Self.stride).update(from: uAbove.base + 8 * column, count: 8)
    unsafe (v - Self.stride).update(from: vAbove.base + 8 * column, count: 8)
    if row > 0, column == planes.columns - 1 {
      let last = unsafe luma[15 - Self.stride]
      unsafe (luma + 16 - Self.stride).update(repeating: last, count: 4)
    }
  }

  /// Moves the last column of the macroblock before to the left of its samples.
  @inline(__always)
  private func loadLeft(
    _ samples: UnsafeMutablePointer<UInt8>, _ side: Int, _ column: Int, _ row: Int
  ) {
    for y in -1..<side {
      let place = unsafe samples + y &* Self.stride
      unsafe place[-1] = column > 0 ? place[side &- 1] : y >= 0 || row > 0 ? 129 : 127
    }
  }

  /// Copies the samples to the planes and keeps the lowest rows.
  private func storeSamples(_ column: Int, _ row: Int) {
    let (luma, u, v) = unsafe (
      buffer.base + Self.lumaPlace, buffer.base + Self.uPlace, buffer.base + Self.vPlace
    )
    let target = unsafe planes.luma(column, row)
    for y in 0..<16 {
      unsafe (target + y &* planes.lumaStride).update(from: luma + y &* Self.stride, count: 16)
    }
    let chroma = unsafe planes.chroma(column, row)
    for y in 0..<8 {
      unsafe (chroma.u + y &* planes.chromaStride).update(from: u + y &* Self.stride, count: 8)
      unsafe (chroma.v + y &* planes.chromaStride).update(from: v + y &* Self.stride, count: 8)
    }
    unsafe (lumaAbove.base + 16 * column).update(from: luma + 15 * Self.stride, count: 16)
    unsafe (uAbove.base + 8 * column).update(from: u + 7 * Self.stride, count: 8)
    unsafe (vAbove.base + 8 * column).update(from: v + 7 * Self.stride, count: 8)
  }
}
