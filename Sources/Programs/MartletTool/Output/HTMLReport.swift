//===--- HTMLReport.swift - a page of all results -------------------------===//
//
// One file without requests: the images, reduced, with their boxes; a filter by label and score;
// everything works by keyboard. `HTMLReport+Page.swift` has the page around the images.
//
// Contract  Images are written as they come, so that memory does not grow with their number. Names
//           and labels are data of the page's script and never parsed as HTML.
// Cost      About 35 kB for each image.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletVision

/// Writes the page image by image.
struct HTMLReport {
  /// The longer side of an image on the page, in pixels.
  static let side = 480

  private let file: OutputFile

  /// Starts the page at `path`.
  init(_ path: FilePath, of outputs: Outputs) throws(FileError) {
    file = try outputs.file(path)
    try write(HTMLReport.beginning)
  }

  /// Adds an image with its JSON line, or an error without an image.
  func add(_ line: JSON, _ image: RGBImage?) throws(FileError) {
    let thumbnail = image.flatMap(HTMLReport.thumbnail)
    let members = thumbnail.map { [("thumbnail", JSON.string($0))] } ?? []
    try write("<script>images.push(\(HTMLReport.script(line + members)))</script>")
  }

  /// Ends the page, which gets its name.
  func finish() throws(FileError) {
    try write(HTMLReport.end)
    try file.finish()
  }

  private func write(_ line: String) throws(FileError) {
    try file.append(Array((line + "\n").utf8))
  }

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
    return "data:image/jpeg;base64," + Base64.text(of: bytes)
  }
}
