//===--- Y4M.swift - reading and writing YUV4MPEG2 videos -----------------===//
//
// A header line, then for each frame a line that begins with FRAME, followed by the raw planes.
//
// Contract  Memory holds the samples and pixels of one frame: a header that needs more than the limit
//           is an error. Interlaced frames are not
//           deinterlaced. Samples of more than 8 bits are rounded to 8. A last frame that is cut
//           off is dropped with a warning; it is an error if the reader is strict.
// Source    mjpegtools: yuv4mpeg(5)
//===----------------------------------------------------------------------===//

public import MartletBase
public import MartletImage

/// Reads a YUV4MPEG2 video frame by frame.
///
/// ```swift
/// var reader = try Y4MReader(ByteSource(bytes))
/// while let frame = try reader.next() { print(frame.size) }
/// ```
public struct Y4MReader {
  private var source: ByteSource
  /// The header of the video.
  public let header: Y4MHeader
  /// Damage that the reader recovered from: at most one last frame that is cut off.
  public private(set) var warnings: [DecodingWarning] = []
  private let isStrict: Bool
  private let check: CancellationCheck

  /// Reads the header of the video.
  ///
  /// - Parameters:
  ///   - source: The bytes of the video.
  ///   - limits: The maximum memory of a frame.
  ///   - isStrict: Whether a last frame that is cut off is an error instead of a warning.
  ///   - workers: Their check can stop the reader, which uses one thread.
  public init(
    _ source: ByteSource, limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(Y4MError) {
    self.isStrict = isStrict
    check = workers.cancellation
    var source = source
    guard source.peek(count: Y4MHeader.signature.count).elementsEqual(Y4MHeader.signature) else {
      throw .badSignature
    }
    header = try Y4MHeader(try source.takeLine())
    try header.check(limits)
    self.source = source
  }

  /// The next frame; `nil` at the end of the video.
  public mutating func next() throws(Y4MError) -> RGBImage? {
    do throws(Y4MError) { return try nextFrame() } catch {
      guard case .truncated = error, !isStrict else { throw error }
      warnings.append(.y4m(error))
      return nil
    }
  }

  private mutating func nextFrame() throws(Y4MError) -> RGBImage? {
    guard source.peek() != nil else { return nil }
    let check = check.started()
    let start = source.offset
    let head = Array(source.peek(count: 6))
    if head.count < 6, "FRAME".utf8.starts(with: head) {
      _ = source.take(head.count)
      throw .truncated(offset: start, missing: 6 - head.count + header.frameSize)
    }
    let line = try source.takeLine()
    guard line.starts(with: "FRAME".utf8), line.count == 5 || line[5] == 0x20 else {
      throw .missingFrame(offset: start)
    }
    let offset = source.offset
    var samples = source.take(header.frameSize)
    guard samples.count == header.frameSize else {
      throw .truncated(offset: offset, missing: header.frameSize - samples.count)
    }
    if header.depth > 8 { narrow(&samples) }
    if let interruption = check.interruption { throw .stopped(.interrupted(interruption)) }
    var (columns, rows) = header.chroma.shifts
    if header.chroma == .none {
      // Neutral chroma follows the luma.
      (columns, rows) = (1, 1)
      samples += repeatElement(128, count: header.neutralCount)
    }
    return RGBImage(
      size: header.size, planes: samples, columnShift: columns, rowShift: rows,
      range: header.range)
  }

  /// Rounds samples to 8 bits, in place. Values above the bit depth count as its maximum.
  private func narrow(_ samples: inout [UInt8]) {
    let largest = 1 << header.depth - 1
    // In the video range, black and white are scaled by powers of two; in the full range they are
    // not.
    let (scale, divisor) = header.range == .full ? (255, largest) : (1, 1 << (header.depth - 8))
    let count = samples.count / 2
    for index in 0..<count {
      let sample = min(Int(samples[2 * index]) | Int(samples[2 * index + 1]) << 8, largest)
      samples[index] = UInt8(min((sample * scale + divisor / 2) / divisor, 255))
    }
    samples.removeLast(count)
  }
}

extension ByteSource {
  /// Takes the bytes of a line, without its line feed.
  fileprivate mutating func takeLine() throws(Y4MError) -> [UInt8] {
    for length in 0..<Y4MHeader.longestLine {
      guard let byte = peek(length) else { break }
      guard byte == 0x0A else { continue }
      return take(length + 1).dropLast()
    }
    throw .lineTooLong(offset: offset, limit: Y4MHeader.longestLine)
  }
}

/// Writes a video frame by frame: 4:2:0 with chroma centered on its four pixels, video range.
///
/// ```swift
/// var reader = try Y4MReader(ByteSource(bytes))
/// var video = Y4MWriter.header(reader.header)
/// while let frame = try reader.next() { video += Y4MWriter.frame(frame) }
/// ```
public enum Y4MWriter {
  /// The bytes of the video's header; only size and rate are taken from `header`.
  public static func header(_ header: Y4MHeader) -> [UInt8] {
    Array(
      """
      YUV4MPEG2 W\(header.size.width) H\(header.size.height) \
      F\(header.rate.numerator):\(header.rate.denominator) Ip A1:1 C420jpeg\n
      """.utf8)
  }

  /// The bytes of a frame; `image` must have the header's size.
  public static func frame(_ image: RGBImage) -> [UInt8] {
    Array("FRAME\n".utf8) + image.halvedChromaPlanes
  }
}
