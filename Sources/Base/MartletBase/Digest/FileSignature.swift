//===--- FileSignature.swift - file formats by signature ------------------===//
//
// For error messages: they name the format of an unsupported file.
//
// Contract  Reads the first 16 bytes, or 128 of a model. Formats that are not in the table return
//           `nil`.
// Source    The formats' specifications; ISO/IEC 14496-12 section 4.3 for brands behind `ftyp`.
//===----------------------------------------------------------------------===//

/// A file format that is recognized by its first bytes.
package struct FileSignature: Sendable {
  /// The format with its article: `a PNG image`.
  package let name: String
  /// A command that converts FILE to PNG or JPEG, if the format is one of images or videos.
  package let conversion: String?
  /// The signature's bytes, each run at its offset.
  private let runs: [(offset: Int, text: String.UTF8View)]

  init(_ name: String, _ text: String, at offset: Int = 0, by conversion: String? = nil) {
    self.name = name
    self.conversion = conversion
    runs = [(offset, text.utf8)]
  }

  private init(
    _ name: String, _ first: String, _ second: String, at offset: Int, by conversion: String? = nil
  ) {
    self.name = name
    self.conversion = conversion
    runs = [(0, first.utf8), (offset, second.utf8)]
  }

  /// Whether this is a format of images or videos.
  package var isPicture: Bool { conversion != nil || name.hasSuffix(" image") }

  /// The name without its article and "image": `HEIC`.
  package var shortName: String {
    name.split(separator: " ").dropFirst().filter { $0 != "image" && $0 != "video" }
      .joined(separator: " ")
  }

  /// The number of bytes needed to recognize a file.
  package static let length = 16
  /// The number of bytes needed to recognize a model file.
  package static let modelLength = 128

  /// The format of a file that starts with `bytes`, or `nil` if it is unknown.
  package static func of(_ bytes: some RandomAccessCollection<UInt8>) -> FileSignature? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return jpeg }
    if bytes.starts(with: [0x89]), matches(bytes, at: 1, "PNG\r\n".utf8) { return png }
    if bytes.starts(with: [0x89]), matches(bytes, at: 1, "HDF\r\n".utf8) { return hdf5 }
    if bytes.starts(with: [0xFF, 0x0A]) { return jpegXL }
    if bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return jpeg2000 }
    if bytes.starts(with: [0x1F, 0x8B]) { return gzip }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroska }
    if let format = ofModel(bytes) { return format }
    return table.first { format in
      format.runs.allSatisfy { matches(bytes, at: $0.offset, $0.text) }
    }
  }

  /// How a file of unknown format begins: with a text, or with bytes.
  package static func words(of beginning: [UInt8]) -> String {
    let bytes = beginning.prefix(8)
    if bytes.allSatisfy({ (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }) {
      let text = String(decoding: bytes.prefix { $0 >= 0x20 }, as: UTF8.self)
      return "a text that begins with \"\(text)\""
    }
    let numbers = bytes.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "a file that begins with the bytes \(numbers.joined(separator: " "))"
  }

  private static func matches(
    _ bytes: some RandomAccessCollection<UInt8>, at offset: Int, _ text: String.UTF8View
  ) -> Bool {
    bytes.dropFirst(offset).starts(with: text)
  }

  private static let jpeg = FileSignature("a JPEG image", "")
  private static let png = FileSignature("a PNG image", "")
  private static let gzip = FileSignature("a gzip file", "")
  private static let matroska = FileSignature("a Matroska or WebM video", "", by: ffmpeg)
  private static let jpegXL = FileSignature("a JPEG XL image", "", by: djxl)
  private static let jpeg2000 = FileSignature("a JPEG 2000 image", "", by: openJPEG)

  private static let magick = "magick FILE out.png"
  private static let firstImage = "magick 'FILE[0]' out.png"
  private static let ffmpeg = "ffmpeg -i FILE out%04d.png"
  private static let darktable = "darktable-cli FILE out.jpg"
  private static let djxl = "djxl FILE out.png"
  private static let openJPEG = "opj_decompress -i FILE -o out.png"
  private static let heif = "heif-convert FILE out.png"

  private static let table = [
    FileSignature("a GIF image", "GIF8", by: magick),
    FileSignature("a WebP image", "RIFF", "WEBP", at: 8, by: magick),
    FileSignature("an AVI video", "RIFF", "AVI ", at: 8, by: ffmpeg),
    FileSignature("a HEIC image", "ftyphei", at: 4, by: heif),
    FileSignature("a HEIC image", "ftyphev", at: 4, by: heif),
    FileSignature("a HEIC image", "ftypmif1", at: 4, by: heif),
    FileSignature("an AVIF image", "ftypavi", at: 4, by: heif),
    FileSignature("a Canon raw image (CR3)", "ftypcrx", at: 4, by: darktable),
    FileSignature("a QuickTime video", "ftypqt", at: 4, by: ffmpeg),
    FileSignature("an MP4 video", "ftyp", at: 4, by: ffmpeg),
    FileSignature("a Fujifilm raw image (RAF)", "FUJIFILMCCD-RAW", by: darktable),
    FileSignature("a Canon raw image (CR2)", "II*\0", "CR", at: 8, by: darktable),
    FileSignature("a JPEG XL image", "\0\0\0\u{C}JXL ", by: djxl),
    FileSignature("a JPEG 2000 image", "\0\0\0\u{C}jP  ", by: openJPEG),
    FileSignature("a Photoshop image (PSD)", "8BPS", by: firstImage),
    FileSignature("a TIFF image", "II*\0", by: magick),
    FileSignature("a TIFF image", "MM\0*", by: magick),
    FileSignature("a BMP image", "BM"),
    FileSignature("an icon (ICO)", "\0\0\u{1}\0", by: firstImage),
    FileSignature("a cursor (CUR) or a TGA image", "\0\0\u{2}\0", by: firstImage),
    FileSignature("a PDF document", "%PDF-", by: magick),
    FileSignature("a YUV4MPEG2 video", "YUV4MPEG2"),
    FileSignature("a zip archive", "PK\u{3}\u{4}"),
    FileSignature("a TensorFlow Lite model", "TFL3", at: 4),
    FileSignature("a JSON text", "{\""),
    FileSignature("an XML text", "<?xml"),
    FileSignature("an SVG image", "<svg", by: magick),
  ]
}
