//===--- ICCProfile.swift - matrix profiles of colors ---------------------===//
//
// A header of 128 bytes, then a table of tags. A profile of the matrix kind has a curve for each of
// red, green and blue, and the XYZ colors of the three, relative to the white D50.
//
// Contract  Returns nil for a profile of another kind (gray, CMYK, tables only) and for a damaged one:
//           a profile never stops an image from being decoded. Nothing outside the bytes is read.
// Source    ICC.1:2022 (ISO 15076-1), sections 7, 8.3.3, 9.2.44 and 10
//===----------------------------------------------------------------------===//

/// A profile that maps device colors to XYZ by three curves and a matrix.
struct ICCProfile {
  /// The curves of red, green and blue.
  let curves: [ICCCurve]
  /// X, Y and Z of red, green and blue.
  let primaries: [[Double]]

  /// The tags of the curve and the primary of each color.
  private static let tags: [(curve: StaticString, primary: StaticString)] = [
    ("rTRC", "rXYZ"), ("gTRC", "gXYZ"), ("bTRC", "bXYZ"),
  ]

  /// Reads a profile.
  init?(_ bytes: [UInt8]) {
    guard bytes.uint32(at: 16, .big) == Self.signature("RGB "),
      bytes.uint32(at: 20, .big) == Self.signature("XYZ "),
      bytes.uint32(at: 36, .big) == Self.signature("acsp")
    else { return nil }
    var (curves, primaries) = ([ICCCurve](), [[Double]]())
    for (curveTag, primaryTag) in Self.tags {
      guard let curve = Self.content(of: curveTag, bytes).flatMap({ ICCCurve(bytes, at: $0) }),
        let place = Self.content(of: primaryTag, bytes),
        bytes.uint32(at: place, .big) == Self.signature("XYZ "),
        let x = bytes.fixed(at: place + 8), let y = bytes.fixed(at: place + 12),
        let z = bytes.fixed(at: place + 16)
      else { return nil }
      curves.append(curve)
      primaries.append([x, y, z])
    }
    (self.curves, self.primaries) = (curves, primaries)
  }

  /// The offset of a tag's content; `nil` if the profile does not have it.
  private static func content(of tag: StaticString, _ bytes: [UInt8]) -> Int? {
    guard let count = bytes.uint32(at: 128, .big) else { return nil }
    // An entry has 12 bytes.
    for index in 0..<min(Int(clamping: count), bytes.count / 12) {
      let entry = 132 + 12 * index
      guard bytes.uint32(at: entry, .big) == signature(tag) else { continue }
      return bytes.uint32(at: entry + 4, .big).flatMap { Int(exactly: $0) }
    }
    return nil
  }

  /// Four letters as a big-endian number.
  static func signature(_ letters: StaticString) -> UInt32 {
    letters.withUTF8Buffer { unsafe $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }
}

extension [UInt8] {
  /// The signed number with 16 fraction bits at `offset`; `nil` if it is not inside the bytes.
  func fixed(at offset: Int) -> Double? {
    uint32(at: offset, .big).map { Double(Int32(bitPattern: $0)) / 65536 }
  }
}
