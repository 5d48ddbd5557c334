//===--- MJPEG.swift - motion JPEG videos ---------------------------------===//
//
// Contract  An image ends with the end-of-image marker after its scans or, without one, at the next
//           start-of-image marker. Thumbnails inside segments are not images. Text and zeros
//           between images (headers of a web camera's parts) are skipped. Other bytes there, or
//           before the first image, are skipped with a warning. A last image that is cut off is
//           decoded as far as possible, or dropped, with a warning. A strict reader throws instead
//           of warning.
// Cost      Linear in the bytes of the video and the pixels of its images: no byte is scanned twice
//           for the end of an image. Memory for one image; its bytes have a third of the limit,
//           because they are copied once, and the buffer may be half empty.
// Source    ITU-T T.81, annex B
//===----------------------------------------------------------------------===//

public import MartletBase
public import MartletImage

/// Why an image of an MJPEG video could not be read.
@nonexhaustive
public enum MJPEGError: Error, Equatable, Sendable {
  /// The image at `offset` is damaged; the offsets of the inner error count from there.
  case frame(offset: Int, JPEGError)
  /// The image at `offset` does not end within the video, or within `limit` bytes: a third of the
  /// memory limit.
  case unending(offset: Int, limit: Int)
  /// The first `count` bytes of the video belong to no whole image.
  case startsInside(count: Int)
  /// The `count` bytes at `offset`, after an image, are neither an image nor text.
  case stray(offset: Int, count: Int)
  /// The video contains no image.
  case empty
  /// The decoded image exceeds a limit.
  case image(ImageError)
  /// The reader was interrupted before an image began.
  case stopped(DecodingStop)
}

extension MJPEGError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .frame(let offset, let error): "the image at byte \(offset): \(error)"
    case .unending(let offset, let limit):
      """
      the image at byte \(offset) does not end within the video or \(limit) bytes, a third of the \
      memory limit
      """
    case .startsInside(let count):
      "the video begins with \(count) bytes before its first whole image"
    case .stray(let offset, let count):
      "the \(count) bytes at byte \(offset) belong to no image"
    case .empty: "the video contains no JPEG image"
    case .image(let error): "\(error)"
    case .stopped(let stop): "the next image \(stop)"
    }
  }
}

/// Reads an MJPEG video image by image.
///
/// ```swift
/// var reader = MJPEGReader(ByteSource(bytes))
/// while let frame = try reader.next() { print(frame.size) }
/// ```
public struct MJPEGReader {
  private var source: ByteSource
  private let limits: ImageLimits
  private let isStrict: Bool
  private let workers: Workers
  private var isEmpty = true
  private var isInterrupted = false
  /// Whether the rest of the video has been decoded as an image that is cut off.
  private var hasTriedRest = false
  /// Damage that the last call of `next()` recovered from, one warning per kind.
  public private(set) var warnings: [DecodingWarning] = []

  /// A reader of consecutive JPEG images.
  ///
  /// - Parameters:
  ///   - source: The bytes of the video.
  ///   - limits: The maximum size and memory of each image.
  ///   - isStrict: Whether to throw instead of adding a warning.
  ///   - workers: The threads for large images. Their check can stop each call of `next()`.
  public init(
    _ source: ByteSource, limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) {
    self.source = source
    self.limits = limits
    self.isStrict = isStrict
    self.workers = workers
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

  /// The maximum number of bytes of an image.
  private var largestImage: Int { limits.memory / 3 }

  /// The next image, upright; `nil` at the end. After an error, the next call continues after the
  /// image that could not be read. If the reader is interrupted before an image begins, the
  /// video ends.
  public mutating func next() throws(MJPEGError) -> RGBImage? {
    warnings = []
    let workers = workers.checking(workers.cancellation.started())
    while try skipToImage(workers.cancellation) {
      let offset = source.offset
      let scanned: Int
      switch extent() {
      case .whole(let count): return try image(source.take(count), at: offset, workers)
      case .unending(let count): scanned = count
      }
      let error = MJPEGError.unending(offset: offset, limit: largestImage)
      let rest = source.peek(count: largestImage + 1)
      if rest.count > largestImage || isStrict {
        source.drop(scanned)
        throw error
      }
      try warn(error)
      // Any number of images may begin in the rest: only the first one is tried.
      if !hasTriedRest {
        hasTriedRest = true
        do throws(MJPEGError) {
          let image = try image(Array(rest), at: offset, workers)
          source.drop(rest.count)
          return image
        } catch {
          if case .frame(_, .stopped) = error {
            source.drop(scanned)
            throw error
          }
        }
      }
      source.drop(scanned)
    }
    return nil
  }

  /// Decodes the image in `bytes`, which begins at `offset` of the video.
  private mutating func image(
    _ bytes: [UInt8], at offset: Int, _ workers: Workers
  ) throws(MJPEGError) -> RGBImage {
    var limits = limits
    limits.fileByteCount = bytes.count
    let decoded: JPEGImage
    do throws(JPEGError) {
      decoded = try JPEG.decodeFrame(
        of: bytes, at: 0, limits: limits, work: DecodingWork(byteCount: bytes.count, workers))
    } catch { throw .frame(offset: offset, error) }
    let raster = decoded.raster
    try Limits.checkUpright(raster, limits) { MJPEGError.frame(offset: offset, .memory($0)) }
    if let damage = decoded.damage { try warn(.frame(offset: offset, damage)) }
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
  private mutating func skipToImage(_ check: CancellationCheck) throws(MJPEGError) -> Bool {
    guard !isInterrupted else { return false }
    let offset = source.offset
    let wasEmpty = isEmpty
    let isStray = try skip(check)
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
  private mutating func skip(_ check: CancellationCheck) throws(MJPEGError) -> Bool {
    var isStray = false
    while true {
      if let interruption = check.interruption {
        isInterrupted = true
        throw .stopped(.interrupted(interruption))
      }
      let bytes = source.peekBuffered()
      guard !bytes.isEmpty else { return isStray }
      let other = bytes.prefix { $0 != 0xFF }
      isStray = isStray || !other.allSatisfy(isText)
      source.drop(other.count)
      guard other.count < bytes.count else { continue }
      if source.peek(1) == JPEGMarker.startOfImage { return isStray }
      isStray = true
      source.drop(1)
    }
  }

  /// Where an image ends.
  private enum Extent {
    /// After `count` bytes.
    case whole(count: Int)
    /// Not within the video or the limit; no other image begins in the first `scanned` bytes.
    case unending(scanned: Int)
  }

  /// The extent of the image that begins at the next byte.
  private mutating func extent() -> Extent {
    var (index, scanned) = (2, 2)
    while let marker = source.distance(of: 0xFF, from: index, limit: largestImage) {
      guard let code = source.peek(marker + 1) else { return .unending(scanned: marker + 1) }
      switch code {
      // A fill byte, and a stuffed one.
      case 0xFF: index = marker + 1
      case 0: index = marker + 2
      case JPEGMarker.endOfImage: return .whole(count: marker + 2)
      // The image lacks its end-of-image marker.
      case JPEGMarker.startOfImage: return .whole(count: marker)
      case _ where JPEGMarker.isStandalone(code): index = marker + 2
      default:
        scanned = marker + 2
        guard let high = source.peek(marker + 2), let low = source.peek(marker + 3) else {
          return .unending(scanned: scanned)
        }
        index = marker + 2 + Int(high) << 8 + Int(low)
      }
    }
    // In a segment that is cut off, images may begin.
    guard source.peek(index) != nil, index < largestImage else {
      return .unending(scanned: scanned)
    }
    return .unending(scanned: source.peek(count: largestImage).count)
  }
}

/// Whether a byte between images is zero, white space or a printable letter.
private func isText(_ byte: UInt8) -> Bool {
  byte == 0 || (9...13).contains(byte) || (32...126).contains(byte)
}
