//===--- RGBImage.swift - packed 8-bit RGB --------------------------------===//
//
// Eight bits each of red, green and blue; rows are packed without padding. Decoders create such
// images; resampling and drawing work on them.
//
// Contract  pixels.count == width · height · 3, always; pixel (x, y) starts at
//           byte (y · width + x) · 3.
//===----------------------------------------------------------------------===//

import MartletBase

/// An image of packed 8-bit red, green and blue.
///
/// ```swift
/// let image = try RGBImage(
///   width: 640, height: 480, filledWith: .init(red: 255, green: 128, blue: 0))
/// print(image[0, 0].green)  // 128
/// ```
public struct RGBImage: Equatable, Hashable, Sendable {
  /// The three values of one pixel.
  public struct Color: Equatable, Hashable, Sendable {
    /// The sample of the red channel, 0...255.
    public var red: UInt8
    /// The sample of the green channel, 0...255.
    public var green: UInt8
    /// The sample of the blue channel, 0...255.
    public var blue: UInt8

    /// A color from its three channels, 0...255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
  }

  /// The number of channels, which is also the bytes per pixel.
  public static let channels = 3

  /// Columns and rows.
  public let size: ImageSize
  /// Width · height · 3 bytes: rows from the top, each pixel as red, green, blue.
  public private(set) var pixels: [UInt8]

  /// Columns.
  public var width: Int { size.width }
  /// Rows.
  public var height: Int { size.height }

  /// An image from packed rows, in the layout of `pixels`.
  ///
  /// - Throws: `ImageError.invalidSize`, or `.wrongByteCount` unless `pixels` holds
  ///   width · height · 3 bytes.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(ImageError) {
    let size = ImageSize(width: width, height: height)
    try size.validate()
    let expected = size.pixelCount * RGBImage.channels
    guard pixels.count == expected else {
      throw .wrongByteCount(count: pixels.count, expected: expected)
    }
    self.init(checkedSize: size, pixels: pixels)
  }

  /// An image of one color.
  ///
  /// - Throws: `ImageError.invalidSize`.
  public init(width: Int, height: Int, filledWith color: Color) throws(ImageError) {
    let size = ImageSize(width: width, height: height)
    try size.validate()
    var pixels = [UInt8](repeating: color.red, count: size.pixelCount * RGBImage.channels)
    var bytes = pixels.mutableSpan
    for start in stride(from: 0, to: bytes.count, by: RGBImage.channels) {
      (bytes[start + 1], bytes[start + 2]) = (color.green, color.blue)
    }
    self.init(checkedSize: size, pixels: pixels)
  }

  /// An image whose size and byte count the caller has checked.
  package init(checkedSize size: ImageSize, pixels: [UInt8]) {
    self.size = size
    self.pixels = pixels
  }

  /// An image whose size the caller has checked; `fill` must write every byte.
  package init(checkedSize size: ImageSize, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    let count = size.pixelCount * RGBImage.channels
    self.size = size
    self.pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let base = buffer.baseAddress { unsafe fill(base) }
      initialized = count
    }
  }

  /// The pixel in column `x` of row `y`.
  ///
  /// - Precondition: The pixel is in the image.
  public subscript(x: Int, y: Int) -> Color {
    get {
      let start = offset(x, y)
      return Color(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2])
    }
    set {
      let start = offset(x, y)
      pixels[start] = newValue.red
      pixels[start + 1] = newValue.green
      pixels[start + 2] = newValue.blue
    }
  }

  /// Calls `body` with the bytes of `pixels`, without a copy. The pointer is valid during the call
  /// only.
  public func withUnsafePixels<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe pixels.withUnsafeBufferPointer(body)
  }

  /// Calls `body` with the bytes of `pixels` for writing in place. The pointer is valid during the
  /// call only.
  public mutating func withUnsafeMutablePixels<Result, Failure: Error>(
    _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe pixels.withUnsafeMutableBufferPointer { (buffer) throws(Failure) -> Result in
      try unsafe body(buffer)
    }
  }

  /// Calls `body` with the bytes of `pixels` for writing in place.
  mutating func withMutablePixels(_ body: (inout MutableSpan<UInt8>) -> Void) {
    var bytes = pixels.mutableSpan
    body(&bytes)
  }

  private func offset(_ x: Int, _ y: Int) -> Int {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "the pixel lies in the image")
    return (y * width + x) * RGBImage.channels
  }
}
