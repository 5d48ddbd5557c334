//===--- WebPAlpha.swift - alpha of lossy images --------------------------===//
//
// Alpha is a plane of bytes, each stored as the difference from a neighbor, raw or as the green
// values of a lossless image (RFC 9649, section 2.7.1.2).
//
// Contract  Alpha that is damaged or incomplete is an error, as in libwebp. Levels that were reduced
//           by the encoder are not smoothed.
//===----------------------------------------------------------------------===//

/// The alpha plane of an image.
struct WebPAlpha {
  private let width: Int
  private(set) var samples: [UInt8]

  /// Reads the plane from the data of an ALPH chunk at `range`.
  init(
    _ file: [UInt8], _ range: Range<Int>, width: Int, height: Int, _ memory: inout WebPMemory,
    _ work: DecodingWork
  ) throws(WebPError) {
    let damage = WebPError.badAlpha(offset: range.lowerBound, length: range.count)
    guard let first = file[range].first, range.count > 1,
      let filter = Filter(rawValue: first >> 2 & 3)
    else { throw damage }
    // The two bits above the filter say that levels were reduced; the highest two must be zero.
    guard first & 3 < 2, first >> 4 & 3 < 2, first >> 6 == 0 else { throw damage }
    self.width = width
    try memory.reserve(width * height)
    let data = range.dropFirst()
    if first & 3 == 0 {
      guard data.count >= width * height else { throw damage }
      samples = Array(file[data.prefix(width * height)])
    } else {
      samples = [UInt8](repeating: 0, count: width * height)
      var decoder = VP8LDecoder(file, data, memory, work)
      // The decoder passes `height` rows of `width` pixels at most.
      let rows = unsafe try decoder.decode(width: width, height: height) { y, pixels in
        for x in 0..<width {
          samples[y * width + x] = unsafe UInt8(truncatingIfNeeded: pixels[x] >> 8)
        }
      }
      guard rows == height else { throw damage }
    }
    for y in 0..<height {
      try work.charge(width, WebPError.stopped)
      restore(filter, row: y)
    }
  }

  /// What is added to the stored differences.
  private enum Filter: UInt8 {
    case none, left, above, gradient
  }

  private mutating func restore(_ filter: Filter, row y: Int) {
    let start = y * width
    switch filter {
    case .none: return
    case .above where y > 0:
      for index in start..<start + width { samples[index] &+= samples[index - width] }
    case .gradient where y > 0: addGradient(start)
    default:
      if y > 0 { samples[start] &+= samples[start - width] }
      for index in start + 1..<start + width { samples[index] &+= samples[index - 1] }
    }
  }

  private mutating func addGradient(_ start: Int) {
    samples[start] &+= samples[start - width]
    for index in start + 1..<start + width {
      let left = Int(samples[index - 1])
      let gradient = left + Int(samples[index - width]) - Int(samples[index - width - 1])
      samples[index] &+= UInt8(clamping: gradient)
    }
  }
}
