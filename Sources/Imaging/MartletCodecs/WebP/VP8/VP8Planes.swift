//===--- VP8Planes.swift - the samples of a frame -------------------------===//
//
// Contract  Planes have whole macroblocks. After the last sample of a plane there are `slack` more,
//           so that a vector that begins in the plane is in memory.
//===----------------------------------------------------------------------===//

/// Luma and chroma planes.
final class VP8Planes {
  /// The number of readable samples after each plane.
  static let slack = 64

  let columns, rows: Int
  /// The distances of rows in samples.
  let lumaStride, chromaStride: Int
  private let luma, u, v: UnmanagedMemory<UInt8>

  /// Planes of the given number of macroblocks.
  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    lumaStride = 16 * columns
    chromaStride = 8 * columns
    luma = UnmanagedMemory(zeros: lumaStride * 16 * rows + Self.slack)
    u = UnmanagedMemory(zeros: chromaStride * 8 * rows + Self.slack)
    v = UnmanagedMemory(zeros: chromaStride * 8 * rows + Self.slack)
  }

  /// The number of bytes of the planes of an image.
  static func byteCount(columns: Int, rows: Int) -> Int { 384 * columns * rows + 3 * slack }

  /// The memory is used only by the decoder that owns the planes.
  deinit {
    unsafe luma.deallocate()
    unsafe u.deallocate()
    unsafe v.deallocate()
  }

  /// The first luma sample of a macroblock.
  @inline(__always) func luma(_ column: Int, _ row: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe luma.base + 16 &* (row &* lumaStride &+ column)
  }

  /// The first chroma samples of a macroblock.
  @inline(__always)
  func chroma(
    _ column: Int, _ row: Int
  ) -> (u: UnsafeMutablePointer<UInt8>, v: UnsafeMutablePointer<UInt8>) {
    let offset = 8 &* (row &* chromaStride &+ column)
    return unsafe (u.base + offset, v.base + offset)
  }

  /// Row `y` of the image's luma.
  func lumaRow(_ y: Int) -> UnsafePointer<UInt8> {
    unsafe UnsafePointer(luma.base + y * lumaStride)
  }

  /// Row `y` of chroma.
  func chromaRow(_ y: Int) -> (u: UnsafePointer<UInt8>, v: UnsafePointer<UInt8>) {
    unsafe (UnsafePointer(u.base + y * chromaStride), UnsafePointer(v.base + y * chromaStride))
  }
}
