//===--- Y4MHeader.swift - header of a Y4M video --------------------------===//
//
//   YUV4MPEG2 W320 H240 F25:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL
//
// Contract  The positions of chroma samples are ignored: all variants of C420 are equivalent. The
//           default of C is 420. Luma is in the video range unless XCOLORRANGE is FULL. Samples
//           have 8, 9, 10, 12, 14 or 16 bits; above 8, they are little-endian words. Unknown
//           parameters are skipped.
// Source    mjpegtools: yuv4mpeg(5); FFmpeg's yuv4mpegpipe for XCOLORRANGE
//===----------------------------------------------------------------------===//

/// The header of a YUV4MPEG2 video.
public struct Y4MHeader: Equatable, Sendable {
  /// The resolution of chroma relative to luma.
  public enum Chroma: Equatable, Sendable {
    /// Half the columns and rows.
    case halved
    /// Half the columns.
    case halvedColumns
    /// A quarter of the columns.
    case quarteredColumns
    /// All columns and rows.
    case full
    /// All columns and rows, plus a plane of alpha, which is dropped.
    case fullWithAlpha
    /// Gray: no chroma.
    case none
  }

  /// The size of each frame in pixels.
  public let size: ImageSize
  /// The layout of chroma.
  public let chroma: Chroma
  /// The bits per sample: 8, 9, 10, 12, 14 or 16. Frames are converted to 8.
  public let depth: Int
  /// The values of black and white.
  public let range: LumaRange
  /// The frames per second as a fraction; 0:0 if unknown.
  public let rate: (numerator: Int, denominator: Int)

  /// Whether all properties are equal.
  public static func == (first: Y4MHeader, second: Y4MHeader) -> Bool {
    first.size == second.size && first.chroma == second.chroma && first.depth == second.depth
      && first.range == second.range && first.rate == second.rate
  }

  /// A header for `Y4MWriter`: 4:2:0, 8 bits, video range.
  public init(size: ImageSize, rate: (numerator: Int, denominator: Int) = (25, 1)) {
    self.size = size
    self.rate = rate
    chroma = .halved
    depth = 8
    range = .video
  }

  static let signature = Array("YUV4MPEG2".utf8)
  /// The maximum length of a line in bytes.
  static let longestLine = 4096

  /// Parses the header line, without its line feed.
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

  /// The size of a frame in bytes: at most six per pixel.
  var frameSize: Int { depth > 8 ? 2 * sampleCount : sampleCount }

  /// The number of samples of a frame: at most four per pixel.
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

  /// The number of neutral chroma samples of a gray frame.
  var neutralCount: Int { 2 * ((size.width + 1) / 2) * ((size.height + 1) / 2) }

  /// Throws if a frame needs more memory than `limits` allow: its bytes, its RGB pixels and, of a
  /// gray frame, its luma once more while the chroma is added.
  func check(_ limits: ImageLimits) throws(Y4MError) {
    let working = frameSize + (chroma == .none ? size.pixelCount + neutralCount : 0)
    try Limits.check(
      width: size.width, height: size.height, channels: 3, working: Int64(working), limits,
      Y4MError.memory)
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
  /// How many columns and rows of pixels share a chroma sample, as powers of two.
  var shifts: (columns: Int, rows: Int) {
    switch self {
    case .halved: (1, 1)
    case .halvedColumns: (1, 0)
    case .quarteredColumns: (2, 0)
    case .full, .fullWithAlpha, .none: (0, 0)
    }
  }
}
