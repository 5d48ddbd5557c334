//===--- SlidingWindow.swift - geometry of sliding windows ----------------===//
//
// The input pixels of each output pixel of a convolution or a pooling. Channels are not involved.
//
// Contract  Output extents and padding are LiteRT's. SAME gives ⌈input / stride⌉ outputs and puts
//           the odd padding pixel at the end. VALID gives the positions at which the whole window
//           fits.
//===----------------------------------------------------------------------===//

/// One axis of a sliding window.
@usableFromInline
package struct WindowAxis: Sendable {
  /// The extents of the input, of the filter and of the output.
  @usableFromInline
  package let input: Int
  @usableFromInline
  package let filter: Int
  @usableFromInline
  package let output: Int
  /// The distance between the windows of neighboring outputs.
  @usableFromInline
  package let stride: Int
  /// The distance between neighboring taps of the filter.
  @usableFromInline
  package let dilation: Int
  /// The padding before the image: how far the first window starts before pixel 0.
  @usableFromInline
  package let border: Int

  /// Creates the axis. Returns `nil` if the window does not fit the image, or if an extent, the
  /// stride or the dilation is out of range.
  package init?(input: Int, filter: Int, stride: Int, dilation: Int = 1, isSame: Bool) {
    let limit = Int(Int32.max)
    guard (0...limit).contains(input), (1...limit).contains(filter),
      (1...limit).contains(stride), (1...limit).contains(dilation)
    else { return nil }
    // All positions that a window reaches must fit in `Int`, which may have 32 bits.
    let reach = Int64(filter - 1) * Int64(dilation) + 1
    guard reach + Int64(input) + Int64(stride) <= Int64(Int.max) else { return nil }
    let span = Int(reach)
    let covered = isSame ? input + stride - 1 : input + stride - span
    guard covered >= stride || input == 0 else { return nil }
    self.input = input
    self.filter = filter
    self.stride = stride
    self.dilation = dilation
    self.output = input == 0 ? 0 : covered / stride
    self.border = isSame && output > 0 ? max((output - 1) * stride + span - input, 0) / 2 : 0
  }

  /// The position of the first tap of the window of output `index`; negative in the padding.
  @inlinable @inline(__always)
  package func origin(of index: Int) -> Int { index &* stride &- border }

  /// The taps of the window at `origin` that lie within the image.
  @inlinable @inline(__always)
  package func taps(from origin: Int) -> Range<Int> {
    guard dilation > 1 else {
      // Avoids the divisions, which take longer than a small output.
      let end = Swift.min(Swift.max(input &- origin, 0), filter)
      return Swift.min(Swift.max(0 &- origin, 0), end)..<end
    }
    let first = origin < 0 ? (dilation &- 1 &- origin) / dilation : 0
    let end = origin < input ? (input &- origin &+ dilation &- 1) / dilation : 0
    return Swift.min(first, Swift.min(end, filter))..<Swift.min(end, filter)
  }
}

/// A window that slides over the pixels of a batch of images.
@usableFromInline
package struct SlidingWindow: Sendable {
  @usableFromInline
  package let batches: Int
  @usableFromInline
  package let rows: WindowAxis
  @usableFromInline
  package let columns: WindowAxis

  package init(batches: Int, rows: WindowAxis, columns: WindowAxis) {
    self.batches = batches
    self.rows = rows
    self.columns = columns
  }

  /// The number of output pixels of all images.
  @inlinable
  package var outputCount: Int { batches &* rows.output &* columns.output }

  /// Calls `body` for each tap of output pixel `index` that lies within the image, in the filter's
  /// memory order. Its arguments are the indices of the input pixel and of the tap.
  @inlinable @inline(__always)
  package func forEachTap(ofOutput index: Int, _ body: (_ pixel: Int, _ tap: Int) -> Void) {
    let line = index / columns.output
    let image = line / rows.output
    let top = rows.origin(of: line % rows.output)
    let left = columns.origin(of: index % columns.output)
    for tapRow in rows.taps(from: top) {
      let row = image &* rows.input &+ top &+ tapRow &* rows.dilation
      for tapColumn in columns.taps(from: left) {
        body(
          row &* columns.input &+ left &+ tapColumn &* columns.dilation,
          tapRow &* columns.filter &+ tapColumn)
      }
    }
  }
}
