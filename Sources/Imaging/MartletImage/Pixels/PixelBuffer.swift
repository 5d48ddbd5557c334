//===--- PixelBuffer.swift - owned pixels of any format -------------------===//
//
// Contract  Owns its bytes. Sizes are validated at creation, so later reads cannot fail.
// Cost      No copy for a single array; separate planes are concatenated.
//===----------------------------------------------------------------------===//

/// Pixels of any format in memory that the buffer owns.
///
/// ```swift
/// let buffer = try PixelBuffer(width: 640, height: 480, format: .nv12(.video), bytes: bytes)
/// let objects = try await detector.objects(in: VisionImage(image: InputImage(buffer)))
/// ```
public struct PixelBuffer: Equatable, Sendable {
  /// One plane of a buffer: its bytes, and the distance between the starts of its rows.
  public struct Plane: Equatable, Sendable {
    /// The plane's bytes, first row first.
    public var bytes: [UInt8]
    /// The distance from one row's start to the next, in bytes.
    public var bytesPerRow: Int

    /// A plane from its bytes and the distance between its rows in bytes.
    public init(bytes: [UInt8], bytesPerRow: Int) {
      self.bytes = bytes
      self.bytesPerRow = bytesPerRow
    }
  }

  /// Width and height in pixels.
  public let size: ImageSize
  /// The order of channels and planes.
  public let format: PixelFormat
  private let bytes: [UInt8]
  private let layouts: [PlaneLayout]

  /// Columns.
  public var width: Int { size.width }
  /// Rows.
  public var height: Int { size.height }
  /// The size of all planes in bytes, including row padding.
  package var byteCount: Int { bytes.count }

  /// A buffer over one array: a packed format, or planes that follow each other without a gap.
  ///
  /// `bytesPerRow` is the row distance of the first plane; by default rows have no padding. The
  /// row distance of chroma is half of it in I420, and equal to it in NV12 and NV21.
  ///
  /// - Throws: `ImageError.invalidSize`, `.rowTooShort` or `.tooFewBytes`.
  public init(
    width: Int, height: Int, format: PixelFormat, bytes: [UInt8], bytesPerRow: Int? = nil
  ) throws(ImageError) {
    self.size = ImageSize(width: width, height: height)
    self.format = format
    self.layouts = try PlaneLayout.contiguous(
      size: size, format: format, bytesPerRow: bytesPerRow, count: bytes.count)
    self.bytes = bytes
  }

  /// A buffer from separate planes, which are copied into one array.
  ///
  /// - Throws: `ImageError.invalidSize`, `.wrongPlaneCount`, `.rowTooShort` or `.tooFewBytes`.
  public init(
    width: Int, height: Int, format: PixelFormat, planes: [Plane]
  ) throws(ImageError) {
    self.size = ImageSize(width: width, height: height)
    self.format = format
    try size.validate()
    guard planes.count == format.planeCount else {
      throw .wrongPlaneCount(count: planes.count, expected: format.planeCount)
    }
    var bytes: [UInt8] = []
    var layouts: [PlaneLayout] = []
    for (index, plane) in planes.enumerated() {
      try PlaneLayout(offset: 0, bytesPerRow: plane.bytesPerRow)
        .validate(plane: index, count: plane.bytes.count, size: size, format: format)
      layouts.append(PlaneLayout(offset: bytes.count, bytesPerRow: plane.bytesPerRow))
      bytes += plane.bytes
    }
    self.bytes = bytes
    self.layouts = layouts
  }

  /// Calls `body` with a view of the pixels, without a copy. The view is valid during the call
  /// only.
  public func withView<Result, Failure: Error>(
    _ body: (PixelView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The layouts were validated when the buffer was created.
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      let raw = UnsafeRawBufferPointer(buffer)
      let planes = layouts.map { layout in
        unsafe PixelView.Plane(
          bytes: UnsafeRawBufferPointer(rebasing: raw[layout.offset...]),
          bytesPerRow: layout.bytesPerRow)
      }
      return try body(PixelView(checkedSize: size, format: format, planes: planes))
    }
  }
}
