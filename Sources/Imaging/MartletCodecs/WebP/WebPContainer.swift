//===--- WebPContainer.swift - the chunks of a WebP file ------------------===//
//
// A RIFF file: chunks of a type, a length and an even number of bytes. A simple file has one chunk,
// VP8 or VP8L. An extended one begins with VP8X; its image may have an ALPH chunk, and the chunks
// of each frame of an animation are inside an ANMF chunk.
//
// Contract  Every range is inside the file. A file that ends early is damage; the chunks before the
//           end are read. Unknown chunks are skipped.
// Source    RFC 9649, section 2
//===----------------------------------------------------------------------===//

/// The coded data of an image or of a frame.
struct WebPImage {
  /// The offset of the VP8 or VP8L chunk's data, and of the ALPH chunk's.
  var data: Range<Int>
  var alpha: Range<Int>?
  var isLossless: Bool
}

/// A frame of an animation (RFC 9649, section 2.7.1.1).
struct WebPFrame {
  let offset: Int
  /// The place on the canvas.
  let x, y, width, height: Int
  /// The number of milliseconds for which the frame is shown.
  let duration: Int
  /// Whether the frame is blended with the canvas, instead of replacing it.
  let isBlended: Bool
  /// Whether its place becomes transparent before the next frame.
  let isDisposed: Bool
  /// The coded data; `nil` if there are none.
  let image: WebPImage?
}

/// The parts of a file that decoding needs.
struct WebPContainer {
  /// The image outside all frames.
  private(set) var still: WebPImage?
  /// The size in the VP8X chunk; `nil` if there is none.
  private(set) var canvas: (width: Int, height: Int)?
  /// The first frame of an animation.
  private(set) var firstFrame: WebPFrame?
  /// The offsets of the frames' chunks, if the file is a video.
  private(set) var frameOffsets: [Int] = []
  private let isVideo: Bool
  private(set) var orientation = 1
  /// The color profile; `nil` if there is none.
  private(set) var colorProfile: [UInt8]?
  private let file: [UInt8]
  /// The flags of the VP8X chunk.
  private var flags: UInt8 = 0
  private var alpha: Range<Int>?

  /// The work of a chunk.
  private static let chunkSteps = 256

  /// The types of a file's first chunk.
  private static let firstTypes = [type("VP8X"), type("VP8 "), type("VP8L")]

  private static let hasProfile: UInt8 = 32
  private static let hasEXIF: UInt8 = 8
  private static let hasAnimation: UInt8 = 2

  /// The still image or that of the first frame.
  var image: WebPImage? { still ?? firstFrame?.image }

  /// Reads the chunks of a file. If it `isVideo`, the offsets of all frames are kept.
  init(
    _ file: [UInt8], isVideo: Bool = false, _ work: DecodingWork,
    _ damage: inout Damage<WebPError>
  ) throws(WebPError) {
    self.file = file
    self.isVideo = isVideo
    guard Self.matches(file), let size = file.uint32(at: 4, .little), size >= 12,
      size <= UInt32.max - 9
    else { throw .badSignature }
    let end = 8 + Int(size)
    if end > file.count {
      try damage.report(.truncated(offset: 8, count: Int(size), fileSize: file.count))
    }
    var offset = 12
    while let (type, range) = try chunk(at: &offset, end: end) {
      try work.charge(Self.chunkSteps, WebPError.stopped)
      try read(type, range)
    }
  }

  /// Whether a file with these first bytes is a WebP file.
  static func matches(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
  }

  /// The type and the data of the chunk at `offset`, which moves to the next one; `nil` after the
  /// last chunk. The data may end after the file, but not after `end`.
  private func chunk(
    at offset: inout Int, end: Int
  ) throws(WebPError) -> (type: UInt32, range: Range<Int>)? {
    guard offset <= end - 8, let type = file.uint32(at: offset, .big),
      let length = file.uint32(at: offset + 4, .little).flatMap({ Int(exactly: $0) })
    else { return nil }
    let start = offset + 8
    guard length <= end - start else { throw .badChunkLength(offset: offset, length: length) }
    offset = start + length + length & 1
    return (type, start..<start + length)
  }

  private mutating func read(_ type: UInt32, _ range: Range<Int>) throws(WebPError) {
    let data = range.clamped(to: 0..<file.count)
    // A file without VP8X begins with its image.
    guard canvas != nil || still != nil || Self.firstTypes.contains(type) else {
      throw .missingImage
    }
    switch type {
    case Self.type("VP8X"): if canvas == nil { try readCanvas(data) }
    case Self.type("ANMF"):
      if flags & Self.hasAnimation != 0 {
        let frame = try frame(data, end: range.upperBound)
        firstFrame = firstFrame ?? frame
        if isVideo { frameOffsets.append(frame.offset) }
      }
    case Self.type("ALPH"): if still == nil { alpha = data }
    case Self.type("VP8 "), Self.type("VP8L"):
      if still == nil {
        still = WebPImage(data: data, alpha: alpha, isLossless: type == Self.type("VP8L"))
      }
    case Self.type("ICCP"):
      if flags & Self.hasProfile != 0 { colorProfile = colorProfile ?? Array(file[data]) }
    case Self.type("EXIF"):
      if flags & Self.hasEXIF != 0 { orientation = Self.orientation(file, data) ?? 1 }
    default: break
    }
  }

  /// Reads a VP8X chunk (RFC 9649, section 2.7).
  private mutating func readCanvas(_ data: Range<Int>) throws(WebPError) {
    guard data.count == 10, let width = uint24(data.lowerBound + 4),
      let height = uint24(data.lowerBound + 7)
    else { throw .badChunkLength(offset: data.lowerBound - 8, length: data.count) }
    flags = file[data.lowerBound]
    canvas = (width + 1, height + 1)
  }

  /// The frame whose chunk begins at `offset`, which is one of `frameOffsets`.
  func frame(at offset: Int) throws(WebPError) -> WebPFrame {
    var offset = offset
    guard let (_, range) = try chunk(at: &offset, end: .max) else { throw .missingImage }
    return try frame(range.clamped(to: 0..<file.count), end: range.upperBound)
  }

  /// Reads an ANMF chunk: a header of 16 bytes, then the chunks of the image.
  private func frame(_ data: Range<Int>, end: Int) throws(WebPError) -> WebPFrame {
    let start = data.lowerBound
    guard let canvas, let x = uint24(start), let y = uint24(start + 3),
      let width = uint24(start + 6), let height = uint24(start + 9),
      let duration = uint24(start + 12), data.count >= 16
    else { throw .badChunkLength(offset: start - 8, length: data.count) }
    guard 2 * x + width < canvas.width, 2 * y + height < canvas.height else {
      throw .frameOutsideCanvas(offset: start - 8)
    }
    let flags = file[start + 15]
    return WebPFrame(
      offset: start - 8, x: 2 * x, y: 2 * y, width: width + 1, height: height + 1,
      duration: duration, isBlended: flags & 2 == 0, isDisposed: flags & 1 != 0,
      image: try frameImage(start + 16, end: end))
  }

  /// The image among the chunks of a frame.
  private func frameImage(_ start: Int, end: Int) throws(WebPError) -> WebPImage? {
    var (offset, alpha) = (start, Range<Int>?.none)
    while let (type, range) = try chunk(at: &offset, end: end) {
      let data = range.clamped(to: 0..<file.count)
      switch type {
      case Self.type("ALPH"): alpha = data
      case Self.type("VP8 "): return WebPImage(data: data, alpha: alpha, isLossless: false)
      case Self.type("VP8L"): return WebPImage(data: data, alpha: alpha, isLossless: true)
      default: break
      }
    }
    return nil
  }

  /// The 24-bit number at `offset`; `nil` if it is not inside the file.
  private func uint24(_ offset: Int) -> Int? {
    guard let low = file.uint16(at: offset, .little), offset + 2 < file.count else { return nil }
    return low | Int(file[offset + 2]) << 16
  }

  /// The four letters of a chunk's type as a big-endian number.
  private static func type(_ letters: StaticString) -> UInt32 {
    letters.withUTF8Buffer { unsafe $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// The orientation in an EXIF chunk, in which some writers keep the prefix of JPEG.
  private static func orientation(_ file: [UInt8], _ data: Range<Int>) -> Int? {
    let prefix = "Exif\0\0".utf8
    let start = file[data].starts(with: prefix) ? data.lowerBound + prefix.count : data.lowerBound
    return EXIF.orientation(in: file, range: start..<data.upperBound)
  }
}
