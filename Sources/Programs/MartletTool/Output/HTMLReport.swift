//===--- HTMLReport.swift - a page of all results -------------------------===//
//
// One file without requests: the images, reduced, with their boxes; a filter by label, score and failure;
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
  /// Whether relative paths of images are links from the page.
  private let isHere: Bool

  /// Starts the page at `path`.
  init(_ path: FilePath, of outputs: Outputs) throws(FileError) {
    file = try outputs.file(path)
    isHere = path.parent == "."
    try write(HTMLReport.beginning)
  }

  /// Adds the command and the options that made the results.
  func add(command: String) throws(FileError) {
    try write("<script>command = \(HTMLReport.script(.string(command)))</script>")
  }

  /// Adds an image with its JSON line, or an error without an image.
  func add(_ line: JSON, _ image: RGBImage?) throws(FileError) {
    let thumbnail = image.flatMap(HTMLReport.thumbnail)
    var members = thumbnail.map { [("thumbnail", JSON.string($0))] } ?? []
    if let path = FilePath("image", of: line), path.base64 == nil {
      if path.hasPrefix("/") { members.append(("link", .string("file://\(path)"))) }
      if isHere, !path.hasPrefix("/") { members.append(("link", .string("\(path)"))) }
    }
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
