//===--- RowReducer.swift - large images at a part of their size ----------===//
//
// Squares of 2, 4 or 8 pixels a side become one pixel: the mean of each channel, rounded to the
// nearest integer, halves up. Squares at the right and lower edges have the pixels that are in the
// image. Rows are added as they are decoded, so the full image is never in memory.
//
// Contract  The samples equal those of the full image, averaged. Rows that are not added are zeros.
// Cost      One addition per sample, vectorized over a row. In memory: the reduced samples, and two
//           bytes for each sample of a full row.
//===----------------------------------------------------------------------===//

import MartletBase
import struct MartletImage.ImageSize

/// Averages squares of pixels of an image whose rows are added from the top.
final class RowReducer {
  /// The side of a square.
  let factor: Int
  /// The size of the full image.
  let fullSize: ImageSize
  /// The size of the reduced image.
  let size: ImageSize
  let channels: Int
  /// The reduced samples, zeros where no row has been added.
  private(set) var samples: [UInt8]
  /// The sums of columns of the current row of squares.
  private let sums: UnmanagedMemory<UInt16>
  /// The number of rows added.
  private var line = 0

  /// A reducer of an image of at least one pixel.
  init(_ fullSize: ImageSize, channels: Int, factor: Int) {
    (self.fullSize, self.channels, self.factor) = (fullSize, channels, factor)
    size = Self.size(fullSize, factor: factor)
    samples = [UInt8](repeating: 0, count: size.pixelCount * channels)
    sums = UnmanagedMemory(zeros: fullSize.width * channels)
  }

  /// The memory is used only by this object.
  deinit { unsafe sums.deallocate() }

  /// The largest factor of 1, 2, 4 and 8 with which both sides keep at least `minimumSide` pixels;
  /// 1 if that is `nil`.
  static func factor(of size: ImageSize, minimumSide: Int?) -> Int {
    guard let minimumSide else { return 1 }
    return [8, 4, 2].first {
      let reduced = Self.size(size, factor: $0)
      return min(reduced.width, reduced.height) >= minimumSide
    } ?? 1
  }

  /// The columns and rows of a reduced image, rounded up.
  static func size(_ size: ImageSize, factor: Int) -> ImageSize {
    ImageSize(
      width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
  }

  /// The bytes of the reduced samples, the sums and a full row; 0 if the factor is 1.
  static func workingBytes(_ size: ImageSize, channels: Int, factor: Int) -> Int {
    guard factor > 1 else { return 0 }
    return (Self.size(size, factor: factor).pixelCount + 3 * size.width) * channels
  }

  /// Adds the next row, whose samples come first in `row`. Rows after the last one are ignored.
  func add(_ row: Span<UInt8>) {
    guard line < fullSize.height else { return }
    let count = sums.count
    precondition(row.count >= count)
    let sums = unsafe sums.base
    // The row has at least as many samples as there are sums.
    for index in 0..<count { unsafe sums[index] &+= UInt16(row[unchecked: index]) }
    line += 1
    if line % factor == 0 || line == fullSize.height { average() }
  }

  /// Completes the samples if rows are missing.
  func finish() {
    if line < fullSize.height, line % factor > 0 { average() }
    line = fullSize.height
  }

  /// Writes the row of squares that the last row is in.
  private func average() {
    let y = (line - 1) / factor
    let rows = min(factor, fullSize.height - y * factor)
    let (factor, width, channels) = (factor, size.width, channels)
    let rest = fullSize.width - (width - 1) * factor
    var place = y * width * channels
    // The squares of a row of them have the columns of the sums.
    var first = unsafe UnsafePointer(sums.base)
    for x in 0..<width {
      let columns = x == width - 1 ? rest : factor
      let count = UInt32(columns * rows)
      for channel in 0..<channels {
        var sum: UInt32 = count / 2
        for column in 0..<columns { unsafe sum &+= UInt32(first[column &* channels &+ channel]) }
        samples[place] = UInt8(truncatingIfNeeded: sum / count)
        place &+= 1
      }
      unsafe first += columns * channels
    }
    unsafe sums.base.update(repeating: 0, count: sums.count)
  }

  /// The samples of an image that has been decoded in full, reduced; themselves if the factor is 1.
  static func reduced(
    _ samples: [UInt8], of size: ImageSize, channels: Int, by factor: Int
  ) -> [UInt8] {
    guard factor > 1 else { return samples }
    let reducer = RowReducer(size, channels: channels, factor: factor)
    let rowBytes = size.width * channels
    for y in 0..<size.height {
      reducer.add(samples.span.extracting(y * rowBytes..<(y + 1) * rowBytes))
    }
    return reducer.samples
  }
}
