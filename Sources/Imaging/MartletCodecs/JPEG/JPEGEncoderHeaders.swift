//===--- JPEGEncoderHeaders.swift - the segments before a scan ------------===//
//
// Contract  A baseline frame in one scan, with the standard's Huffman tables. An orientation other than
//           1 is written as EXIF.
// Source    ITU-T T.81 annex B; T.871 (JFIF)
//===----------------------------------------------------------------------===//

/// What a file with one scan states before the codes.
struct JPEGEncoderHeaders {
  let width, height: Int
  let orientation: Int
  /// Gray, or luminance and two equal chrominance components.
  let components: [JPEGEncoderComponent]
  /// The sampling factors of the first component; those of the others are 1.
  var sampling = (horizontal: 1, vertical: 1)
  /// The number of units between restart markers; 0 for none.
  var restartInterval = 0

  /// The start of the file, including the header of the scan.
  var bytes: [UInt8] {
    var file = [0xFF, JPEGMarker.startOfImage]
    func segment(_ marker: UInt8, _ body: [UInt8]) {
      file += [0xFF, marker] + bigEndian(body.count + 2) + body
    }
    segment(JPEGMarker.application0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    if orientation != 1 {
      segment(
        JPEGMarker.application1,
        Array("Exif\0\0".utf8) + EXIF.block(orientation: orientation))
    }
    let tables = components.prefix(2)
    for (index, component) in tables.enumerated() {
      let values = JPEGZigzag.natural.map { component.divisors[Int($0)] }
      segment(JPEGMarker.quantizationTables, [UInt8(index)] + values)
    }
    var frame = [8] + bigEndian(height) + bigEndian(width)
    frame.append(UInt8(components.count))
    var scan = [UInt8(components.count)]
    for index in components.indices {
      let table = UInt8(min(index, 1))
      let factors = index == 0 ? UInt8(sampling.horizontal << 4 | sampling.vertical) : 0x11
      frame += [UInt8(index + 1), factors, table]
      scan += [UInt8(index + 1), table << 4 | table]
    }
    segment(JPEGMarker.baselineFrame, frame)
    for (index, component) in tables.enumerated() {
      segment(JPEGMarker.huffmanTables, [UInt8(index)] + component.dc.definition.bytes)
      segment(JPEGMarker.huffmanTables, [UInt8(0x10 + index)] + component.ac.definition.bytes)
    }
    if restartInterval > 0 { segment(JPEGMarker.restartInterval, bigEndian(restartInterval)) }
    segment(JPEGMarker.startOfScan, scan + [0, 63, 0])
    return file
  }

  private func bigEndian(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
}
