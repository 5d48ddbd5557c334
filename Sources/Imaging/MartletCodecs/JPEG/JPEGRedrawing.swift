//===--- JPEGRedrawing.swift - drawing on a JPEG file ---------------------===//
//
// Reads the codes of a file and writes them to a new one. Only minimum coded units on which something
// is drawn are decoded to samples and encoded again; the coefficients of all others stay as they are.
//
// Contract  Pixels of other units are exactly those of the file, apart from a blend of color with a
//           neighboring unit that a decoder may do. Quantization tables, sampling factors, restart
//           intervals and the orientation are kept; the Huffman tables are the standard's, and no
//           metadata are copied. Returns nil for a file of another kind (progressive, gray, RGB, CMYK,
//           several scans), a damaged one, and one whose colors would be converted.
// Cost      One pass over the file, without decoding its pixels; the new file is in memory.
//===----------------------------------------------------------------------===//

import MartletBase
package import MartletImage

extension JPEG {
  /// The file with a drawing on its upright image; `nil` if the file must be decoded for this.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - drawing: A drawing of the size of the full upright image.
  ///   - convertsColors: Whether files are refused whose profile differs from sRGB.
  package static func redrawn(
    _ bytes: [UInt8], with drawing: Drawing, convertsColors: Bool = true
  ) -> [UInt8]? {
    // Coefficients are not kept, so the samples' size has no meaning: the least memory is allocated.
    var decoder = JPEGDecoder(
      bytes, start: 0, limits: .init(), minimumSide: 1,
      work: DecodingWork(byteCount: bytes.count, .serial))
    return decoder.redraw(drawing, convertsColors: convertsColors)
  }
}

extension JPEGDecoder {
  fileprivate mutating func redraw(_ drawing: Drawing, convertsColors: Bool) -> [UInt8]? {
    guard let (frame, color) = try? readHeader(), color == .yCbCr, frame.isRedrawable,
      let marker = reader.nextMarker(), let segment = try? reader.segment(marker),
      let scan = try? JPEGScan(segment, frame),
      scan.specifications.map({ $0.component }) == [0, 1, 2],
      let dc = try? dcTables(scan), let ac = try? acTables(scan),
      let divisors = divisors(of: frame)
    else { return nil }
    if convertsColors, let profile = colorProfile, SRGBConverter(profile) != nil { return nil }
    allowWork(on: frame, color)
    let orientation = ImageOrientation(rawValue: orientation ?? 1) ?? .up
    let drawing = drawing.stored(orientation)
    guard drawing.size == ImageSize(width: frame.width, height: frame.height) else { return nil }

    let order = JPEGColumnOrder()
    let luminance = JPEGEncoderComponent(.luminance, divisors.luminance, order: order)
    let chrominance = JPEGEncoderComponent(.chrominance, divisors.chrominance, order: order)
    let first = frame.specifications[0]
    var headers = JPEGEncoderHeaders(
      width: frame.width, height: frame.height, orientation: orientation.rawValue,
      components: [luminance, chrominance, chrominance])
    headers.sampling = (first.horizontal, first.vertical)
    headers.restartInterval = restartInterval
    let bands = JPEGBands(frame)
    var decoder = JPEGScanDecoder(
      reader.bytes, start: reader.position, scan: 0, restartInterval: restartInterval,
      frame: frame,
      components: frame.specifications.map { JPEGComponent(frame, $0, bands, isStored: false) },
      work: work)
    var coder = JPEGRedrawingCoder(frame, headers, dc: dc, ac: ac, drawing)
    decoder.decode(with: &coder)
    let file = coder.finish()
    withExtendedLifetime((dc, ac)) {}
    reader.position = decoder.position
    guard truncation == nil, work.stop == nil, decoder.damage == nil,
      reader.nextMarker() == JPEGMarker.endOfImage
    else { return nil }
    return file
  }

  /// The quantization tables; `nil` if one is missing, has a divisor that a baseline file cannot have,
  /// or if those of the chrominance components differ.
  private func divisors(of frame: JPEGFrame) -> (luminance: [UInt8], chrominance: [UInt8])? {
    let tables = frame.specifications.compactMap { self.tables.quantization[$0.quantizationTable] }
    guard tables.count == 3, tables[1] == tables[2],
      tables.allSatisfy({ $0.allSatisfy { 1...255 ~= $0 } })
    else { return nil }
    return (tables[0].map { UInt8($0) }, tables[1].map { UInt8($0) })
  }
}

extension JPEGFrame {
  /// Whether units have up to two by two blocks of luminance and one of each chrominance component.
  fileprivate var isRedrawable: Bool {
    guard !isProgressive, specifications.count == 3 else { return false }
    return specifications[0].horizontal <= 2 && specifications[0].vertical <= 2
      && specifications.dropFirst().allSatisfy { $0.horizontal == 1 && $0.vertical == 1 }
  }
}
