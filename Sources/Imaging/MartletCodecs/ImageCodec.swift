//===--- ImageCodec.swift - registration of an image format ---------------===//
//
// A format is a folder with its decoder and one registration: how its files begin, and what decodes
// them. `all` lists the registrations.
//
// Checked   Tests/MartletCodecsTests/ImageFileTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletImage

/// An image format that can be decoded.
struct ImageCodec: Sendable {
  typealias Decode =
    @Sendable (
      _ bytes: [UInt8], _ limits: ImageLimits, _ isStrict: Bool, _ workers: Workers
    ) throws(ImageFileError) -> Raster

  /// The format's name in messages.
  let name: String
  /// Whether a file with these first two bytes has the format.
  let matches: @Sendable (_ first: UInt8, _ second: UInt8) -> Bool
  /// Decodes a whole file.
  let decode: Decode

  /// All formats.
  static let all: [ImageCodec] = [.jpeg, .png, .bmp, .pnm]

  /// The format of a file with these first bytes, or `nil`.
  static func of(_ bytes: [UInt8]) -> ImageCodec? {
    guard bytes.count > 1 else { return nil }
    return all.first { $0.matches(bytes[0], bytes[1]) }
  }

  /// The names of all formats in a sentence: "JPEG, PNG, BMP or PNM".
  static var names: String {
    all.dropLast().map { $0.name }.joined(separator: ", ") + " or " + all[all.count - 1].name
  }
}
