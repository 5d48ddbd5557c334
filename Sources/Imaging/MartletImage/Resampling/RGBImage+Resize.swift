//===--- RGBImage+Resize.swift - resizing images and crops ----------------===//
//
// Contract  Stretches; the aspect ratio is not kept. A pass whose axis keeps its size and edges is
//           skipped, as in Pillow, so an unchanged image is a copy. `box` may have fractional
//           edges; x + width and y + height, as Float, must lie in the image. Each pass adds 2^21
//           to its sum of weight · byte and shifts by 22, which rounds to nearest. Sums cannot
//           exceed Int32 (ResampleTable.swift). Bytes are clamped to 255, because rounded weights
//           may sum to slightly more than one.
// Order     Horizontal pass first. The vertical pass is first if the height loses more than twice
//           the pixels that the width loses (sizes of images, not of the box). Values are rounded
//           to bytes between the passes, so the order affects the result. This is the order of
//           Pillow 13; earlier versions always start with the horizontal pass. Sums are of
//           integers: any order gives the same bits. A weight is split into 16-bit halves, w =
//           2^15 h + l, so that two taps' products are one instruction on x86-64.
// Cost      Across: rows · output columns · taps; down: output pixels · taps. A step handles two
//           taps of one pixel, or of eight bytes. Rows are distributed among workers. Memory: one
//           image of the output's width.
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
import MartletKernels
import MartletMicrokernels

extension RGBImage {
  /// The whole image, stretched to `target`.
  ///
  /// - Throws: `ImageError.invalidSize`.
  public func resized(
    to target: ImageSize, method: ResizeMethod = .antialiased, workers: Workers = .serial
  ) throws(ImageError) -> RGBImage {
    try resized(
      from: Box(x: 0, y: 0, width: Float(width), height: Float(height)), to: target,
      method: method, workers: workers)
  }

  /// The part of the image in `box`, stretched to `target`, as in Pillow's `resize(size, box=)`.
  ///
  /// - Throws: `ImageError.invalidSize`, or `.boxOutsideImage` if the box is empty, not finite or
  ///   not inside the image.
  public func resized(
    from box: Box, to target: ImageSize, method: ResizeMethod = .antialiased,
    workers: Workers = .serial
  ) throws(ImageError) -> RGBImage {
    try target.validate()
    guard !box.isEmpty, box.x >= 0, box.y >= 0, box.maxX <= Float(width),
      box.maxY <= Float(height), box.maxX > box.x, box.maxY > box.y
    else { throw .boxOutsideImage(box, size) }
    let columns = axis(width, from: box.x, to: box.maxX, count: target.width, method)
    let rows = axis(height, from: box.y, to: box.maxY, count: target.height, method)
    guard let rows else {
      return columns.map { resizedAcross($0, rows: 0..<height, workers) } ?? self
    }
    guard let columns else { return resizedDown(rows, firstRow: 0, workers) }
    if target.height < height, 2 * (width - target.width) < height - target.height {
      return resizedDown(rows, firstRow: 0, workers)
        .resizedAcross(columns, rows: 0..<target.height, workers)
    }
    return resizedAcross(columns, rows: rows.inputs, workers)
      .resizedDown(rows, firstRow: rows.inputs.lowerBound, workers)
  }

  /// The table of one axis; `nil` if the axis stays unchanged.
  private func axis(
    _ inputCount: Int, from lower: Float, to upper: Float, count: Int, _ method: ResizeMethod
  ) -> ResampleTable? {
    if count == inputCount, lower == 0, upper == Float(inputCount) { return nil }
    return ResampleTable(
      method: method, inputCount: inputCount, from: lower, to: upper, count: count)
  }

  /// Resamples `rows`, which become all rows of the result.
  private func resizedAcross(
    _ table: ResampleTable, rows: Range<Int>, _ workers: Workers
  ) -> RGBImage {
    let rowBytes = width * 3
    let byteCount = pixels.count
    let columns = table.windows.count
    let kernels = Microkernels.pixels
    let isHalving = table.isHalving
    let mostPairs = table.windows.reduce(0) { max($0, $1.pairCount) }
    // Windows are inside a row, and each share has its own rows of the output.
    return unsafe withPointers(table, to: ImageSize(width: columns, height: rows.count)) {
      base, windows, weights, output in
      workers.split(rows.count, grain: grain / columns + 1) { share in
        for y in share {
          let start = (rows.lowerBound + y) * rowBytes
          let target = unsafe output + y * columns * 3
          let done = unsafe kernels.uint8ResampleRow(
            Uint8ResampleRow(
              row: base + start, byteCount: byteCount - start, windows: windows,
              weights: weights, mostPairs: mostPairs, columns: columns, isHalving: isHalving,
              precision: ResampleTable.precision, y: target))
          for x in done..<columns {
            let window = table.windows[x]
            let taps = unsafe base + (start + 3 * window.start)
            for channel in 0..<3 {
              unsafe target[3 * x + channel] = table.byte(of: window, taps + channel, stride: 3)
            }
          }
        }
      }
    }
  }

  /// Resamples columns; the first row of this image is row `firstRow` of the axis.
  private func resizedDown(
    _ table: ResampleTable, firstRow: Int, _ workers: Workers
  ) -> RGBImage {
    let rowBytes = width * 3
    let count = table.windows.count
    let kernels = Microkernels.pixels
    // Windows are inside the rows, and each share has its own rows of the output.
    return unsafe withPointers(table, to: ImageSize(width: width, height: count)) {
      base, windows, weights, output in
      workers.split(count, grain: grain * 3 / rowBytes + 1) { share in
        for y in share {
          let window = unsafe windows[y]
          let rows = unsafe base + (window.start - firstRow) * rowBytes
          let target = unsafe output + y * rowBytes
          guard rowBytes < 8 else {
            unsafe kernels.uint8ResampleColumns(
              Uint8ResampleColumns(
                rows: rows, rowBytes: rowBytes, count: window.count,
                weights: weights + window.firstWeight, precision: ResampleTable.precision,
                y: target))
            continue
          }
          for x in 0..<rowBytes {
            unsafe target[x] = table.byte(of: window, rows + x, stride: rowBytes)
          }
        }
      }
    }
  }

  /// Returns the image of this size that `body` writes, given the pixels, windows and weights as
  /// pointers, which avoids reference counting in loops.
  private func withPointers(
    _ table: ResampleTable, to size: ImageSize,
    _ body: (
      _ base: UnsafePointer<UInt8>, _ windows: UnsafePointer<ResampleWindow>,
      _ weights: UnsafePointer<Int32>, _ output: UnsafeMutablePointer<UInt8>
    ) -> Void
  ) -> RGBImage {
    unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe table.windows.withUnsafeBufferPointer { windows in
        unsafe table.weights.withUnsafeBufferPointer { weights in
          unsafe RGBImage(checkedSize: size) { output in
            guard let base = pixels.baseAddress, let first = windows.baseAddress,
              let weight = weights.baseAddress
            else { return }
            unsafe body(base, first, weight, output)
          }
        }
      }
    }
  }
}

/// The minimum number of output pixels per worker.
private let grain = 4096

extension ResampleTable {
  /// Computes one byte of an output, tap by tap; the taps of `window` must be in memory.
  @inline(__always)
  fileprivate func byte(
    of window: ResampleWindow, _ taps: UnsafePointer<UInt8>, stride: Int
  ) -> UInt8 {
    // One half, for rounding.
    var sum: Int32 = 1 << (ResampleTable.precision - 1)
    for tap in 0..<window.count {
      unsafe sum &+= Int32(taps[tap * stride]) &* weight(of: tap, in: window)
    }
    return UInt8(truncatingIfNeeded: min(255, sum >> ResampleTable.precision))
  }
}
