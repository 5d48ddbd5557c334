//===--- PixelView.swift - borrowed pixels --------------------------------===//
//
// What a caller holds in memory, read in place: the bytes behind a camera frame,
// a mapped file, an array. Checked once; then every read is within bounds.
//
// Contract  Borrows the memory it was given and must not outlive it: make it and
//           use it within the closure that lends the pointers. Rows may lie
//           further apart than they are long; the last one needs no padding.
// Checked   Tests/MartletImageTests/PixelBufferTests.swift
//===----------------------------------------------------------------------===//

/// Pixels in memory that belongs to someone else.
public struct PixelView {
  /// One plane: its bytes, and the distance between the starts of its rows.
  public struct Plane {
    /// The plane's memory, first row first.
    public var bytes: UnsafeRawBufferPointer
    /// The distance from one row's start to the next, in bytes.
    public var bytesPerRow: Int

    /// A plane whose rows lie `bytesPerRow` apart.
    public init(bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
      self.bytes = bytes
      self.bytesPerRow = bytesPerRow
    }
  }

  /// Columns and rows.
  public let size: ImageSize
  /// The order of channels and planes.
  public let format: PixelFormat
  /// The planes, in the format's order.
  public let planes: [Plane]

  /// A view of planes that lie where they will.
  ///
  /// Throws `.invalidSize`, `.wrongPlaneCount`, `.rowTooShort` or `.tooFewBytes`.
  public init(size: ImageSize, format: PixelFormat, planes: [Plane]) throws(ImageError) {
    try size.validate()
    guard planes.count == format.planeCount else {
      throw .wrongPlaneCount(count: planes.count, expected: format.planeCount)
    }
    for (index, plane) in planes.enumerated() {
      try PlaneLayout(offset: 0, bytesPerRow: plane.bytesPerRow)
        .validate(plane: index, count: plane.bytes.count, size: size, format: format)
    }
    self.size = size
    self.format = format
    self.planes = planes
  }

  /// A view of one run of memory: a packed format with rows `bytesPerRow` apart, or planes that
  /// follow each other without a gap.
  ///
  /// `bytesPerRow` speaks of the first plane and defaults to rows without padding; chroma rows lie
  /// half as far apart (I420) or as far (NV12, NV21).
  public init(
    size: ImageSize, format: PixelFormat, bytes: UnsafeRawBufferPointer, bytesPerRow: Int? = nil
  ) throws(ImageError) {
    let layouts = try PlaneLayout.contiguous(
      size: size, format: format, bytesPerRow: bytesPerRow, count: bytes.count)
    let planes = layouts.map { layout in
      Plane(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[layout.offset...]),
        bytesPerRow: layout.bytesPerRow)
    }
    try self.init(size: size, format: format, planes: planes)
  }

  /// A view of planes that have been checked before.
  init(checkedSize size: ImageSize, format: PixelFormat, planes: [Plane]) {
    self.size = size
    self.format = format
    self.planes = planes
  }

  /// The start of row `row` of plane `plane`; both were checked when the view was made.
  func row(_ row: Int, ofPlane plane: Int) -> UnsafePointer<UInt8> {
    let start = row * planes[plane].bytesPerRow
    let length = format.bytesPerRow(ofPlane: plane, width: size.width)
    let bytes = UnsafeRawBufferPointer(rebasing: planes[plane].bytes[start..<start + length])
    guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      preconditionFailure("a validated row holds a byte")
    }
    return base
  }
}
