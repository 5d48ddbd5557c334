//===--- WebPReader.swift - the frames of an animation --------------------===//
//
// A frame changes a rectangle of the canvas: it replaces it or is blended with it. The rectangle may
// become transparent before the next frame (RFC 9649, section 2.7.1).
//
// Contract  The canvas equals that of libwebp's animation decoder, which begins with transparent
//           black and ignores the background color. Alpha of the canvas is dropped.
// Cost      Memory for the file, the canvas, one frame and its image. The file may have half of the
//           limit, because it is copied while it is read.
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import MartletImage

/// Reads the frames of a WebP animation; of a still image, one frame.
public struct WebPReader {
  private let file: [UInt8]
  private let limits: ImageLimits
  private let isStrict: Bool
  /// The work on all frames.
  private let work: DecodingWork
  private let size: (width: Int, height: Int)
  private let orientation: ImageOrientation
  private let container: WebPContainer
  /// The only frame of a still image.
  private let still: WebPFrame?
  private var index = 0
  /// Four bytes a pixel.
  private var canvas: [UInt8] = []
  /// Whether nothing of earlier frames was left when the last frame was drawn.
  private var isKey = true
  private var pending: [DecodingWarning]
  /// Damage that the last call of `next()` recovered from.
  public private(set) var warnings: [DecodingWarning] = []

  /// A reader of a file.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file, which are all read.
  ///   - limits: The maximum size and memory of the file and each frame.
  ///   - isStrict: Whether damage is an error instead of a warning.
  ///   - workers: Their check can stop each call of `next()`; the reader uses one thread.
  /// - Throws: ``WebPError``.
  public init(
    _ source: ByteSource, limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(WebPError) {
    var limits = limits
    file = try Self.contents(of: source, limits)
    var damage = Damage<WebPError>(isStrict: isStrict)
    work = DecodingWork(byteCount: file.count, workers)
    container = try WebPContainer(file, isVideo: true, work, &damage)
    // Each offset has eight bytes, in an array that may be half empty.
    limits.fileByteCount = file.count + 16 * container.frameOffsets.count
    (self.limits, self.isStrict) = (limits, isStrict)
    pending = damage.warnings
    orientation = ImageOrientation(rawValue: container.orientation) ?? .up
    if let image = container.still {
      let layer = try WebPLayer(file, image, nil, canvas: container.canvas)
      size = (layer.width, layer.height)
      still = WebPFrame(
        offset: 0, x: 0, y: 0, width: size.width, height: size.height, duration: 0,
        isBlended: false, isDisposed: false, image: image)
    } else {
      guard let canvas = container.canvas, container.firstFrame != nil else { throw .missingImage }
      (size, still) = (canvas, nil)
    }
  }

  /// Reads the file in pieces, then copies them into one array.
  private static func contents(
    of source: ByteSource, _ limits: ImageLimits
  ) throws(WebPError) -> [UInt8] {
    var (source, pieces, count) = (source, [[UInt8]](), 0)
    while true {
      let piece = source.takePiece()
      if piece.isEmpty { break }
      pieces.append(piece)
      count += piece.count
      guard 2 * count <= limits.memory else {
        throw .memory(MemoryExcess(needed: 2 * Int64(count), limit: Int64(limits.memory)))
      }
    }
    guard pieces.count != 1 else { return pieces[0] }
    var file: [UInt8] = []
    file.reserveCapacity(count)
    for piece in pieces { file += piece }
    return file
  }

  /// Whether a file with these first bytes, at least 12, is a WebP file.
  package static func matches(_ bytes: [UInt8]) -> Bool { WebPContainer.matches(bytes) }

  /// The frames per second, as a fraction, if the first frame has a duration.
  public var rate: (numerator: Int, denominator: Int)? {
    let duration = container.firstFrame?.duration ?? 0
    return still == nil && duration > 0 ? (1000, duration) : nil
  }

  /// The number of frames.
  private var count: Int { still == nil ? container.frameOffsets.count : 1 }

  private func frame(_ index: Int) throws(WebPError) -> WebPFrame {
    if let still { return still }
    return try container.frame(at: container.frameOffsets[index])
  }

  /// The next frame, upright; `nil` at the end. After an error, the next call returns the frame
  /// after the one that could not be read.
  public mutating func next() throws(WebPError) -> RGBImage? {
    warnings = pending
    pending = []
    guard index < count else { return nil }
    work.beginFrame()
    index += 1
    let (frame, previous) = (try frame(index - 1), index > 1 ? try frame(index - 2) : nil)
    guard let image = frame.image else { throw .missingImage }
    // The canvas and the frame, both four bytes a pixel, and the image, which may be turned, are in
    // memory at the same time; before, the decoder's memory is.
    var memory = try WebPMemory(width: size.width, height: size.height, channels: 4, limits)
    let canvasBytes = 4 * size.width * size.height
    try memory.reserve(4 * frame.width * frame.height)
    if orientation != .up { try memory.reserve(3 * size.width * size.height) }
    var rest = limits
    rest.fileByteCount += canvasBytes
    var damage = Damage<WebPError>(isStrict: isStrict)
    let layer = try WebPLayer(file, image, nil, canvas: (frame.width, frame.height))
    let samples = try layer.decode(file, on: layer.size, channels: 4, rest, work, &damage)
    warnings += damage.warnings
    if canvas.isEmpty { canvas = [UInt8](repeating: 0, count: canvasBytes) }
    draw(samples, frame, previous, hasAlpha: layer.hasAlpha)
    let raster = Raster(width: size.width, height: size.height, channels: 4, samples: canvas)
    do throws(ImageError) {
      return try RGBImage(width: size.width, height: size.height, pixels: raster.rgb)
        .upright(from: orientation)
    } catch { throw .badSize(width: size.width, height: size.height) }
  }

  private func isFull(_ frame: WebPFrame) -> Bool { (frame.width, frame.height) == size }

  /// Draws the samples of a frame, four bytes a pixel, on the canvas.
  private mutating func draw(
    _ samples: [UInt8], _ frame: WebPFrame, _ previous: WebPFrame?, hasAlpha: Bool
  ) {
    let disposed = previous?.isDisposed == true ? previous : nil
    let isCovered = isFull(frame) && !(hasAlpha && frame.isBlended)
    let isCleared = previous == nil || disposed.map { isFull($0) || isKey } ?? false
    isKey = isCovered || isCleared
    if isKey {
      for index in canvas.indices { canvas[index] = 0 }
    } else if let disposed {
      for y in disposed.y..<disposed.y + disposed.height {
        let start = 4 * (y * size.width + disposed.x)
        for index in start..<start + 4 * disposed.width { canvas[index] = 0 }
      }
    }
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        let source = 4 * (y * frame.width + x)
        let target = 4 * ((frame.y + y) * size.width + frame.x + x)
        let isOverOld = disposed.map { !$0.contains(frame.x + x, frame.y + y) } ?? true
        if !isKey, frame.isBlended, isOverOld, samples[source + 3] < 255 {
          blend(samples, source, at: target)
        } else {
          for channel in 0..<4 { canvas[target + channel] = samples[source + channel] }
        }
      }
    }
  }

  /// Blends a pixel with that of the canvas, rounded as in libwebp.
  private mutating func blend(_ samples: [UInt8], _ source: Int, at target: Int) {
    let alpha = UInt32(samples[source + 3])
    guard alpha > 0 else { return }
    let rest = (UInt32(canvas[target + 3]) * (256 - alpha)) >> 8
    let scale = (1 << 24) / (alpha + rest)
    for channel in 0..<3 {
      let sum =
        UInt32(samples[source + channel]) * alpha + UInt32(canvas[target + channel]) * rest
      canvas[target + channel] = UInt8(truncatingIfNeeded: (sum &* scale) >> 24)
    }
    canvas[target + 3] = UInt8(truncatingIfNeeded: alpha + rest)
  }
}

extension WebPFrame {
  /// Whether a pixel of the canvas is in the frame.
  fileprivate func contains(_ x: Int, _ y: Int) -> Bool {
    (self.x..<self.x + width).contains(x) && (self.y..<self.y + height).contains(y)
  }
}
