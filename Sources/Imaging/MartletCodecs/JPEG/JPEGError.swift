//===--- JPEGError.swift - errors of the JPEG codec -----------------------===//
//
// Contract  Every case gives a position: `offset` counts bytes from the start of the file, `scan`
//           counts scans, and `unit` counts the minimum coded units of a scan, all from zero.
//===----------------------------------------------------------------------===//

/// Why bytes could not be decoded as JPEG, or why an image could not be encoded.
@nonexhaustive
public enum JPEGError: Error, Equatable, Sendable {
  /// Decoding needs more memory than the limit.
  case memory(MemoryExcess)
  /// Decoding was interrupted, or takes more work than the file may.
  case stopped(DecodingStop)
  /// The file does not begin with the start-of-image marker.
  case notJPEG
  /// A read of `count` bytes at `offset` would exceed the file of `fileSize` bytes.
  case truncated(offset: Int, count: Int, fileSize: Int)
  /// The file ends, at `offset`, before every component of the image has been coded.
  case incomplete(offset: Int, scans: Int)
  /// The coded data of a scan end, at `offset`, in unit `unit` of `count`.
  case truncatedScan(scan: Int, unit: Int, count: Int, offset: Int)
  /// A scan has an invalid code near `offset`, in unit `unit` of `count`.
  case corruptScan(scan: Int, unit: Int, count: Int, offset: Int)
  /// A segment has `length` bytes, but `expected` are required.
  case badSegmentLength(marker: UInt8, offset: Int, length: Int, expected: Int)
  /// The frame uses an unsupported process: arithmetic, lossless or hierarchical coding. `marker` is
  /// the code of its SOF, DHP or EXP marker.
  case unsupportedProcess(marker: UInt8, offset: Int)
  /// Samples do not have 8 bits.
  case unsupportedPrecision(bits: Int, offset: Int)
  /// The number of components is not 1, 3 or 4 (nor 2 in TIFF).
  case unsupportedComponentCount(Int, offset: Int)
  /// A marker is not allowed at this position.
  case unexpectedMarker(UInt8, offset: Int)
  /// The width or the height of the frame is 0.
  case emptyImage(width: Int, height: Int, offset: Int)
  /// The frame exceeds the decoders' limit of pixels.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A side of an image to encode exceeds 65,535 pixels, the maximum of the format.
  case sideTooLong(width: Int, height: Int, limit: Int)
  /// The file exceeds the decoders' limit of scans.
  case tooManyScans(limit: Int, offset: Int)
  /// A sampling factor is not 1, 2, 3 or 4.
  case badSamplingFactor(component: Int, horizontal: Int, vertical: Int, offset: Int)
  /// A scan names a component of the frame twice.
  case duplicateComponent(identifier: UInt8, offset: Int)
  /// A scan names a component that the frame does not have, or no component at all.
  case badScanComponents(identifier: UInt8, count: Int, offset: Int)
  /// The frame does not allow a scan's spectral band or bit position.
  case badProgression(start: Int, end: Int, high: Int, low: Int, offset: Int)
  /// A table's number or precision is not allowed by the format.
  case badTableIndex(marker: UInt8, index: Int, offset: Int)
  /// A Huffman table has too many codes of `length` bits, or a symbol that its class does not
  /// allow.
  case badHuffmanTable(index: Int, length: Int, offset: Int)
  /// A scan needs a quantization table that the file has not defined.
  case missingQuantizationTable(index: Int, scan: Int)
  /// A scan needs a Huffman table that the file has not defined.
  case missingHuffmanTable(index: Int, scan: Int)
}

extension JPEGError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .memory(let excess): "the image \(excess)"
    case .stopped(let stop): "the image \(stop)"
    case .notJPEG:
      "the file does not begin with a JPEG start-of-image marker"
    case .truncated(let offset, let count, let fileSize):
      "expected \(count) bytes at byte \(offset), found the end of the file at \(fileSize)"
    case .incomplete(let offset, let scans):
      "the file ends at byte \(offset) after \(scans) scans, before the image is complete"
    case .truncatedScan(let scan, let unit, let count, let offset):
      "scan \(scan) ends at byte \(offset), in unit \(unit) of \(count)"
    case .corruptScan(let scan, let unit, let count, let offset):
      "scan \(scan) is corrupt near byte \(offset), in unit \(unit) of \(count)"
    case .badSegmentLength(let marker, let offset, let length, let expected):
      "\(JPEGMarker.name(marker)) at byte \(offset) has \(length) bytes, expected \(expected)"
    case .unsupportedProcess(let marker, let offset):
      "\(JPEGMarker.name(marker)) at byte \(offset): \(JPEGMarker.process(marker).name) JPEG is not "
        + "supported: convert the file, e.g. with \(JPEGMarker.process(marker).conversion)"
    case .unsupportedPrecision(let bits, let offset):
      "the frame at byte \(offset) has samples of \(bits) bits, expected 8"
    case .unsupportedComponentCount(let count, let offset):
      "the frame at byte \(offset) has \(count) components, expected 1, 3 or 4"
    case .unexpectedMarker(let marker, let offset):
      "\(JPEGMarker.name(marker)) at byte \(offset) is out of place"
    case .emptyImage(let width, let height, let offset):
      "the frame at byte \(offset) has \(width) columns and \(height) rows"
    case .tooManyPixels(let width, let height, let limit):
      "an image of \(width) x \(height) pixels exceeds the limit of \(limit)"
    case .sideTooLong(let width, let height, let limit):
      "invalid image size \(width) x \(height): a side of a JPEG image has at most \(limit) pixels"
    case .tooManyScans(let limit, let offset):
      "the scan at byte \(offset) exceeds the limit of \(limit)"
    case .badSamplingFactor(let component, let horizontal, let vertical, let offset):
      "component \(component) of the frame at byte \(offset) has the invalid sampling factors "
        + "\(horizontal) x \(vertical)"
    case .duplicateComponent(let identifier, let offset):
      "duplicate component \(identifier) in the segment at byte \(offset)"
    case .badScanComponents(let identifier, let count, let offset):
      "the scan at byte \(offset) of \(count) components has the invalid component \(identifier)"
    case .badProgression(let start, let end, let high, let low, let offset):
      "the scan at byte \(offset) has the invalid coefficients \(start) to \(end), bits \(high) to \(low)"
    case .badTableIndex(let marker, let index, let offset):
      "\(JPEGMarker.name(marker)) at byte \(offset) refers to the invalid table \(index)"
    case .badHuffmanTable(let index, let length, let offset):
      "Huffman table \(index) at byte \(offset) is invalid at code length \(length)"
    case .missingQuantizationTable(let index, let scan):
      "scan \(scan) refers to the undefined quantization table \(index)"
    case .missingHuffmanTable(let index, let scan):
      "scan \(scan) refers to the undefined Huffman table \(index)"
    }
  }
}
