//===--- RGBImage+Resize.swift - resizing images and crops ----------------===//
//
// Contract  Stretches; the aspect ratio is not kept. A pass whose axis keeps its size and edges is
//           skipped, as in Pillow, so an unchanged image is a copy. `box` may have fractional
//           edges; x + width and y + height, as Float, must lie in the image.
// Order     Horizontal pass first. The vertical pass is first if the height loses more than twice
//           the pixels that the width loses (sizes of images, not of the box). Values are rounded
//           to bytes between the passes, so the order affects the result. This is the order of
//           Pillow 13; earlier versions always start with the horizontal pass.
// Checked   Tests/MartletImageTests/ResizeTests.swift, against Pillow and NumPy
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers

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
    guard let columns else { return resizedDown(rows, firstRow: 0, count: target.height, workers) }
    if target.height < height, 2 * (width - target.width) < height - target.height {
      return resizedDown(rows, firstRow: 0, count: target.height, workers)
        .resizedAcross(columns, rows: 0..<target.height, workers)
    }
    return resizedAcross(columns, rows: rows.inputs, workers)
      .resizedDown(rows, firstRow: rows.inputs.lowerBound, count: target.height, workers)
  }

  /// The table of one axis; `nil` if the axis stays unchanged.
  private func axis(
    _ inputCount: Int, from lower: Float, to upper: Float, count: Int, _ method: ResizeMethod
  ) -> ResampleTable? {
    if count == inputCount, lower == 0, upper == Float(inputCount) { return nil }
    return ResampleTable(
      method: method, inputCount: inputCount, from: lower, to: upper, count: count)
  }

  private func resizedAcross(
    _ table: ResampleTable, rows: Range<Int>, _ workers: Workers
  ) -> RGBImage {
    let result = ImageSize(width: table.windows.count, height: rows.count)
    return pixels.withUnsafeBufferPointer { input in
      RGBImage(checkedSize: result) { output in
        Resampler.across(input, width: width, rows: rows, table: table, into: output, workers)
      }
    }
  }

  private func resizedDown(
    _ table: ResampleTable, firstRow: Int, count: Int, _ workers: Workers
  ) -> RGBImage {
    pixels.withUnsafeBufferPointer { input in
      RGBImage(checkedSize: ImageSize(width: width, height: count)) { output in
        guard let base = input.baseAddress else { return }
        Resampler.down(
          base, rowBytes: width * 3, firstRow: firstRow, table: table, into: output,
          workers)
      }
    }
  }
}
