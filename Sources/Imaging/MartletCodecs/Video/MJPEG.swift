//===--- MJPEG.swift - motion JPEG videos ---------------------------------===//
//
// Contract  An image ends with the end-of-image marker after its scans or, without one, at the next
//           start-of-image marker. Thumbnails inside segments are not images. Text and zeros
//           between images (headers of a web camera's parts) are skipped. Other bytes there, or
//           before the first image, are skipped with a warning. A last image that is cut off is
//           decoded as far as possible, or dropped, with a warning. A strict reader throws instead
//           of warning.
// Cost      Memory for one image.
// Source    ITU-T T.81, annex B
// Checked   Tests/MartletCodecsTests/MJPEGTests.swift
//===----------------------------------------------------------------------===//

public import MartletImage

/// Why an image of an MJPEG video could not be read.
@nonexhaustive
public enum MJPEGError: Error, Equatable, Sendable {
  /// The image at `offset` is damaged; the offsets of the inner error count from there.
  case frame(offset: Int, JPEGError)
  /// The image at `offset` does not end within the video, or within `limit` bytes.
  case unending(offset: Int, limit: Int)
  /// The first `count` bytes of the video belong to no whole image.
  case startsInside(count: Int)
  /// The `count` bytes at `offset`, after an image, are neither an image nor text.
  case stray(offset: Int, count: Int)
  /// The video contains no image.
  case empty
  /// The decoded image exceeds a limit.
  case image(ImageError)
}

extension MJPEGError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .frame(let offset, let error): "the image at byte \(offset): \(error)"
    case .unending(let offset, let limit):
      "the image at byte \(offset) does not end within the video or \(limit) bytes"
    case .startsInside(let count):
      "the video begins with \(count) bytes before its first whole image"
    case .stray(let offset, let count):
      "the \(count) bytes at byte \(offset) belong to no image"
    case .empty: "the video contains no JPEG image"
    case .image(let error): "\(error)"
    }
  }
}

/// Reads an MJPEG video image by image.
public struct MJPEGReader {
  /// The maximum size of an image in bytes: 256 MiB.
  static let largestImage = 1 << 28

  private var source: ByteSource
  private let limits: ImageLimits
  private let isStrict: Bool
  private var isEmpty = true
  /// Damage that the last call of `next()` recovered from, one warning per kind.
  public private(set) var warnings: [DecodingWarning] = []

  /// A reader of consecutive JPEG images.
  ///
  /// - Parameters:
  ///   - source: The bytes of the video.
  ///   - limits: The maximum size and memory of each image.
  ///   - isStrict: Whether to throw instead of adding a warning.
  public init(_ source: ByteSource, limits: ImageLimits = .init(), isStrict: Bool = false) {
    self.source = source
    self.limits = limits
    self.isStrict = isStrict
  }

  /// Whether an image begins within the first `count` bytes of `source`; no bytes are taken.
  public static func findsImage(in source: inout ByteSource, within count: Int = 1 << 22) -> Bool {
    var run = 0
    for index in 0..<count {
      guard let byte = source.peek(index) else { return false }
      switch (run, byte) {
      case (2, 0xFF): return true
      case (1, JPEGMarker.startOfImage): run = 2
      default: run = byte == 0xFF ? 1 : 0
      }
    }
    return false
  }

  /// The next image, upright; `nil` at the end. After an error, the next call continues after the
  /// image that could not be read.
  public mutating func next() throws(MJPEGError) -> RGBImage? {
    warnings = []
    while try skipToImage() {
      let offset = source.offset
      if let length = imageLength() { return try image(source.take(length), at: offset) }
      let error = MJPEGError.unending(offset: offset, limit: MJPEGReader.largestImage)
      let rest = Array(source.peek(count: MJPEGReader.largestImage))
      guard rest.count < MJPEGReader.largestImage, !isStrict else {
        dropImage()
        throw error
      }
      try warn(error)
      if let image = try? image(rest, at: offset) {
        _ = source.take(rest.count)
        return image
      }
      dropImage()
    }
    return nil
  }

  /// Skips an image that does not end, up to the next start-of-image marker inside it.
  private mutating func dropImage() {
    _ = source.take(2)
    _ = skip()
  }

  /// Decodes the image in `bytes`, which begins at `offset` of the video.
  private mutating func image(
    _ bytes: [UInt8], at offset: Int
  ) throws(MJPEGError) -> RGBImage {
    let decoded: JPEGImage
    do throws(JPEGError) {
      decoded = try JPEG.decodeFrame(of: bytes, at: 0, limits: limits)
    } catch { throw .frame(offset: offset, error) }
    if let damage = decoded.damage { try warn(.frame(offset: offset, damage)) }
    let raster = decoded.raster
    do throws(ImageError) {
      let image = try RGBImage(width: raster.width, height: raster.height, pixels: raster.rgb)
      return image.upright(from: ImageOrientation(rawValue: raster.orientation) ?? .up)
    } catch { throw .image(error) }
  }

  /// Adds a warning unless this call has one of its kind; throws it if the reader is strict.
  private mutating func warn(_ error: MJPEGError) throws(MJPEGError) {
    guard !isStrict else { throw error }
    let isKnown = warnings.contains { warning in
      switch (warning, error) {
      case (.mjpeg(.frame), .frame), (.mjpeg(.unending), .unending),
        (.mjpeg(.startsInside), .startsInside), (.mjpeg(.stray), .stray):
        true
      default: false
      }
    }
    if !isKnown { warnings.append(.mjpeg(error)) }
  }

  /// Skips to the next image; returns false at the end.
  private mutating func skipToImage() throws(MJPEGError) -> Bool {
    let offset = source.offset
    let wasEmpty = isEmpty
    let isStray = skip()
    isEmpty = false
    let count = source.offset - offset
    guard source.peek() != nil || !wasEmpty else { throw .empty }
    if isStray {
      try warn(wasEmpty ? .startsInside(count: count) : .stray(offset: offset, count: count))
    }
    return source.peek() != nil
  }

  /// Skips the bytes before the next start-of-image marker; returns whether any of them is neither
  /// text nor zero.
  private mutating func skip() -> Bool {
    var isStray = false
    while let byte = source.peek() {
      if byte == 0xFF, source.peek(1) == JPEGMarker.startOfImage { break }
      isStray = isStray || !(byte == 0 || (9...13).contains(byte) || (32...126).contains(byte))
      _ = source.take(1)
    }
    return isStray
  }

  /// The number of bytes from a start-of-image marker to the end of its image; `nil` if it does not
  /// end.
  private mutating func imageLength() -> Int? {
    var index = 2
    while index < MJPEGReader.largestImage {
      guard let first = source.peek(index), let code = source.peek(index + 1) else { return nil }
      if first != 0xFF || code == 0 || code == 0xFF {
        // Coded data, a stuffed byte, or a fill byte.
        index += first == 0xFF && code == 0 ? 2 : 1
      } else if code == JPEGMarker.endOfImage {
        return index + 2
      } else if code == JPEGMarker.startOfImage {
        // The image lacks its end-of-image marker.
        return index
      } else if JPEGMarker.isStandalone(code) {
        index += 2
      } else {
        guard let high = source.peek(index + 2), let low = source.peek(index + 3) else {
          return nil
        }
        index += 2 + Int(high) << 8 + Int(low)
      }
    }
    return nil
  }
}
