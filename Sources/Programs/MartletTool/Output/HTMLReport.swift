//===--- HTMLReport.swift - a page of all results -------------------------===//
//
// One file without requests: the images, reduced, with their boxes; a filter by label and score;
// everything works by keyboard. `HTMLReport+Page.swift` has the page around the images.
//
// Contract  Images are written as they come, so that memory does not grow with their number. Names
//           and labels are data of the page's script and never parsed as HTML.
// Cost      About 35 kB for each image.
// Checked   Tests/MartletToolTests/HTMLReportTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletVision

/// Writes the page image by image.
struct HTMLReport {
  /// The longer side of an image on the page, in pixels.
  static let side = 480

  private let file: OpenFile

  /// Creates the page at `path`.
  ///
  /// - Throws: `FileError.isInput` if the file is one of `inputs`.
  init(_ path: String, sparing inputs: Set<FileIdentity>) throws(FileError) {
    file = try OpenFile(writing: path, sparing: inputs)
    Streams.out(HTMLReport.beginning, to: file)
  }

  /// Adds an image with its JSON line, or an error without an image.
  func add(_ line: JSON, _ image: RGBImage?) {
    let thumbnail = image.flatMap(HTMLReport.thumbnail)
    let members = thumbnail.map { [("thumbnail", JSON.string($0))] } ?? []
    Streams.out("<script>images.push(\(HTMLReport.script(line + members)))</script>", to: file)
  }

  /// Ends the page.
  func finish() { Streams.out(HTMLReport.end, to: file) }

  /// JSON within a script element, which a `<` could end.
  static func script(_ json: JSON) -> String {
    "\(json)".split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
  }

  /// The reduced image as the address of a JPEG file.
  private static func thumbnail(_ image: RGBImage) -> String? {
    let factor = min(1, Double(side) / Double(max(image.width, image.height)))
    let size = ImageSize(
      width: max(1, Int(Double(image.width) * factor)),
      height: max(1, Int(Double(image.height) * factor)))
    guard let small = try? image.resized(to: size) else { return nil }
    let raster = Raster(
      width: small.width, height: small.height, channels: 3, samples: small.pixels)
    guard let bytes = try? JPEG.encode(raster, quality: 75) else { return nil }
    return "data:image/jpeg;base64," + base64(bytes)
  }

  /// Base64 with padding (RFC 4648, section 4).
  static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
