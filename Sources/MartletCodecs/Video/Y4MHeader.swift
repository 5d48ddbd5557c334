//===--- Y4MHeader.swift - header of a YUV4MPEG2 video --------------------===//
//
//   YUV4MPEG2 W320 H240 F25:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL
//
// Contract  Of C420 and what stands behind it alone the layout counts: where chroma samples lie is
//           not told apart. Without C it is 420. Luma is of the video range unless said otherwise.
//           Samples have 8, 9, 10, 12, 14 or 16 bits; those of more than 8 are little-endian words.
//           Unknown parameters are passed over.
// Source    mjpegtools: yuv4mpeg(5); FFmpeg's yuv4mpegpipe for XCOLORRANGE
// Checked   Tests/MartletCodecsTests/Y4MTests.swift
//===----------------------------------------------------------------------===//

/// The header of a video.
public struct Y4MHeader: Equatable, Sendable {
  /// How the samples of chroma lie to those of luma.
  public enum Chroma: Equatable, Sendable {
    /// Half the columns and rows.
    case halved
    /// Half the columns.
    case halvedColumns
    /// A quarter of the columns.
    case quarteredColumns
    /// As many.
    case full
    /// As many, and as many samples of alpha, which are dropped.
    case fullWithAlpha
    /// None.
    case none
  }

  /// Columns and rows of each frame.
  public let size: ImageSize
  /// How chroma lies.
  public let chroma: Chroma
  /// Bits of a sample: 8, 9, 10, 12, 14 or 16. Frames are converted to 8.
  public let depth: Int
  /// Which values stand for black and white.
  public let range: LumaRange
  /// Frames a second as numerator and denominator; zeros where unknown.
  public let rate: (numerator: Int, denominator: Int)

  /// Whether all that two headers say is the same.
  public static func == (first: Y4MHeader, second: Y4MHeader) -> Bool {
    first.size == second.size && first.chroma == second.chroma && first.depth == second.depth
      && first.range == second.range && first.rate == second.rate
  }

  /// A video of frames as the encoder writes them.
  public init(size: ImageSize, rate: (numerator: Int, denominator: Int) = (25, 1)) {
    self.size = size
    self.rate = rate
    chroma = .halved
    depth = 8
    range = .video
  }

  static let signature = Array("YUV4MPEG2".utf8)
  /// No line is longer.
  static let longestLine = 4096

  /// Reads the header's line, without its end.
  init(_ line: [UInt8]) throws(Y4MError) {
    var (width, height): (Int?, Int?)
    var (chroma, depth) = (Chroma.halved, 8)
    var range = LumaRange.video
    var rate = (numerator: 0, denominator: 0)
    var offset = 0
    for word in line.split(separator: 0x20, omittingEmptySubsequences: false) {
      defer { offset += word.count + 1 }
      guard offset > 0, let letter = word.first else { continue }
      let value = word.dropFirst()
      switch letter {
      case UInt8(ascii: "W"): width = try Y4MHeader.number(value, letter, offset)
      case UInt8(ascii: "H"): height = try Y4MHeader.number(value, letter, offset)
      case UInt8(ascii: "F"): rate = try Y4MHeader.ratio(value, letter, offset)
      case UInt8(ascii: "C"): (chroma, depth) = try Y4MHeader.chroma(value)
      case UInt8(ascii: "X"):
        if value.elementsEqual("COLORRANGE=FULL".utf8) { range = .full }
      default: continue
      }
    }
    guard let width, let height else { throw .missingSize }
    guard Limits.allow(width: width, height: height) else {
      throw .badSize(width: width, height: height)
    }
    size = ImageSize(width: width, height: height)
    self.chroma = chroma
    self.depth = depth
    self.range = range
    self.rate = rate
  }

  /// The bytes of a frame: at most six for each pixel.
  var frameSize: Int { depth > 8 ? 2 * sampleCount : sampleCount }

  /// The samples of a frame: at most four for each pixel.
  private var sampleCount: Int {
    let (columns, rows) = chroma.shifts
    let chromaSize =
      ((size.width + 1 << columns - 1) >> columns) * ((size.height + 1 << rows - 1) >> rows)
    switch chroma {
    case .none: return size.pixelCount
    case .fullWithAlpha: return size.pixelCount * 4
    default: return size.pixelCount + 2 * chromaSize
    }
  }

  private static func number(
    _ digits: ArraySlice<UInt8>, _ letter: UInt8, _ offset: Int
  ) throws(Y4MError) -> Int {
    guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .badParameter(offset: offset, letter: letter)
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func ratio(
    _ value: ArraySlice<UInt8>, _ letter: UInt8, _ offset: Int
  ) throws(Y4MError) -> (numerator: Int, denominator: Int) {
    let parts = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .badParameter(offset: offset, letter: letter) }
    return (try number(parts[0], letter, offset), try number(parts[1], letter, offset))
  }

  private static func chroma(_ value: ArraySlice<UInt8>) throws(Y4MError) -> (Chroma, depth: Int) {
    let name = String(decoding: value, as: UTF8.self)
    switch name {
    case "420", "420jpeg", "420mpeg2", "420paldv": return (.halved, 8)
    case "422": return (.halvedColumns, 8)
    case "411": return (.quarteredColumns, 8)
    case "444": return (.full, 8)
    case "444alpha": return (.fullWithAlpha, 8)
    case "mono": return (.none, 8)
    default: break
    }
    for depth in [9, 10, 12, 14, 16] {
      if name == "420p\(depth)" { return (.halved, depth) }
      if name == "422p\(depth)" { return (.halvedColumns, depth) }
      if name == "444p\(depth)" { return (.full, depth) }
      if name == "mono\(depth)" { return (.none, depth) }
    }
    throw .unsupportedChroma(name: name)
  }
}

extension Y4MHeader.Chroma {
  /// How many columns and rows of pixels share a sample, as powers of two.
  var shifts: (columns: Int, rows: Int) {
    switch self {
    case .halved: (1, 1)
    case .halvedColumns: (1, 0)
    case .quarteredColumns: (2, 0)
    case .full, .fullWithAlpha, .none: (0, 0)
    }
  }
}
