//===--- PixelView.swift - borrowed pixels of any format ------------------===//
//
// A view of memory that the caller owns: a camera frame, a mapped file or an array. Sizes are
// validated at creation; every later read is within bounds.
//
// Contract  Borrows the memory and must not outlive it: create and use the view inside the closure
//           that provides the pointers. Rows may be padded; the last one needs no padding.
//===----------------------------------------------------------------------===//

/// Pixels in memory that the caller owns.
public struct PixelView {
  /// One plane: its bytes, and the distance between the starts of its rows. It is safe to use during
  /// the call that lends the memory: a view checks the size.
  @safe public struct Plane {
    /// The plane's memory, first row first.
    public var bytes: UnsafeRawBufferPointer
    /// The distance from one row's start to the next, in bytes.
    public var bytesPerRow: Int

    /// A plane from its memory and the distance between its rows in bytes.
    public init(bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
      unsafe self.bytes = bytes
      self.bytesPerRow = bytesPerRow
    }
  }

  /// Width and height in pixels.
  public let size: ImageSize
  /// The order of channels and planes.
  public let format: PixelFormat
  /// The planes, in the format's order.
  public let planes: [Plane]

  /// A view of separate planes, anywhere in memory.
  ///
  /// - Throws: `ImageError.invalidSize`, `.wrongPlaneCount`, `.rowTooShort` or `.tooFewBytes`.
  public init(size: ImageSize, format: PixelFormat, planes: [Plane]) throws(ImageError) {
    try size.validate()
    guard planes.count == format.planeCount else {
      throw .wrongPlaneCount(count: planes.count, expected: format.planeCount)
    }
    for (index, plane) in planes.enumerated() {
      try PlaneLayout(offset: 0, bytesPerRow: plane.bytesPerRow)
        .validate(plane: index, count: unsafe plane.bytes.count, size: size, format: format)
    }
    self.size = size
    self.format = format
    self.planes = planes
  }

  /// A view of contiguous memory: a packed format, or planes that follow each other without a gap.
  ///
  /// `bytesPerRow` is the row distance of the first plane; by default rows have no padding. The
  /// row distance of chroma is half of it in I420, and equal to it in NV12 and NV21.
  ///
  /// - Throws: `ImageError.invalidSize`, `.rowTooShort` or `.tooFewBytes`.
  public init(
    size: ImageSize, format: PixelFormat, bytes: UnsafeRawBufferPointer, bytesPerRow: Int? = nil
  ) throws(ImageError) {
    let layouts = try PlaneLayout.contiguous(
      size: size, format: format, bytesPerRow: bytesPerRow, count: bytes.count)
    let planes = layouts.map { layout in
      unsafe Plane(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[layout.offset...]),
        bytesPerRow: layout.bytesPerRow)
    }
    try self.init(size: size, format: format, planes: planes)
  }

  /// A view of planes that the caller has validated.
  init(checkedSize size: ImageSize, format: PixelFormat, planes: [Plane]) {
    self.size = size
    self.format = format
    self.planes = planes
  }

  /// The start of row `row` of plane `plane`. The bounds were validated when the view was created.
  func row(_ row: Int, ofPlane plane: Int) -> UnsafePointer<UInt8> {
    let start = row * planes[plane].bytesPerRow
    let length = format.bytesPerRow(ofPlane: plane, width: size.width)
    let bytes = unsafe planes[plane].bytes
    precondition(row >= 0 && start + length <= bytes.count, "a row of the validated plane")
    guard let base = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      preconditionFailure("a validated row holds a byte")
    }
    return unsafe base + start
  }
}
