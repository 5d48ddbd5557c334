//===--- JPEGDecoder.swift - segments of a JPEG file ----------------------===//
//
// Reads a file from its first marker to its last: stores tables and parameters, and decodes each
// scan into its components.
//
// Contract  An image is complete if every component has been coded. In a sequential frame, each
//           component must be in one scan. A progressive one needs a DC scan and an end-of-image
//           marker or, without that marker, all bits. Anything else is damage: the image is made
//           from the scans that were read, and the first damage is kept. Without any scan it is
//           an error. A file that ends in the header of its first scan continues with
//           end-of-image markers, as in libjpeg-turbo.
// Cost      One pass over the file. An image of one scan is rendered while it is read, any other
//           after the last scan.
//===----------------------------------------------------------------------===//

import MartletBase
import struct MartletImage.ImageLimits

/// The state of decoding one file.
struct JPEGDecoder {
  /// The size in bytes of a JFIF segment without a thumbnail.
  private static let jfifSize = 14
  /// The work of a segment.
  private static let segmentSteps = 1 << 10

  var reader: JPEGReader
  private(set) var tables: JPEGTables
  private(set) var restartInterval = 0
  private var frame: JPEGFrame?
  private var bands: JPEGBands?
  private var renderer: JPEGRenderer?
  private let limits: ImageLimits
  /// The least number of columns and rows of the decoded image; `nil` if it is not reduced.
  private let minimumSide: Int?
  /// Whether colors are YCbCr, if the format around the image states it, as TIFF does; else `nil`.
  private let isYCbCr: Bool?
  let work: DecodingWork
  private var scans = 0
  private var hasJFIF = false
  private var adobeTransform: UInt8?

  private var components: [JPEGComponent] = []
  private(set) var orientation: Int?
  /// The places of the color profile's parts, by their number.
  private var profileParts: [Range<Int>?] = []
  /// The first damage.
  private(set) var damage: JPEGError?
  /// The error if the file ends in the header of its first scan.
  private(set) var truncation: JPEGError?
  private let fileSize: Int
  /// The frame's line of units in which the data of the last scan end.
  private var lastLine = 0

  /// The offset in the file after the image.
  var position: Int { min(reader.position, fileSize) }

  /// A decoder of the image that begins at `start`. In TIFF, tables may be defined before it, and the
  /// colors are not those of its markers.
  init(
    _ bytes: [UInt8], start: Int, limits: ImageLimits, minimumSide: Int? = nil,
    tables: JPEGTables = JPEGTables(), isYCbCr: Bool? = nil, work: DecodingWork
  ) {
    (self.limits, self.minimumSide, self.work) = (limits, minimumSide, work)
    (self.tables, self.isYCbCr) = (tables, isYCbCr)
    reader = JPEGReader(bytes, start: start)
    fileSize = bytes.count
  }

  /// Reads up to the first scan; returns the frame and its color model.
  mutating func readHeader() throws(JPEGError) -> (frame: JPEGFrame, color: JPEGColor) {
    guard reader.skipStartOfImage() else { throw .notJPEG }
    while let marker = reader.nextMarker() {
      try work.charge(Self.segmentSteps, JPEGError.stopped)
      switch marker {
      case JPEGMarker.endOfImage:
        throw .incomplete(offset: reader.position - 2, scans: scans)
      case JPEGMarker.startOfImage:
        throw .unexpectedMarker(marker, offset: reader.position - 2)
      case JPEGMarker.startOfScan:
        let offset = reader.position - 2
        guard let frame else { throw .unexpectedMarker(marker, offset: offset) }
        do throws(JPEGError) { _ = try reader.segment(marker) } catch {
          truncation = error
          reader.appendEnd()
        }
        reader.position = offset
        return (frame, color(of: frame))
      default: try readTable(marker)
      }
    }
    throw .incomplete(offset: reader.position, scans: scans)
  }

  private func color(of frame: JPEGFrame) -> JPEGColor {
    if let isYCbCr { return JPEGColor(count: frame.specifications.count, isYCbCr: isYCbCr) }
    return JPEGColor(frame, hasJFIF: hasJFIF, adobeTransform: adobeTransform)
  }

  /// Allows the work on an image of this size.
  func allowWork(on frame: JPEGFrame, _ color: JPEGColor) {
    work.allow(samples: frame.sampleCount)
    work.allow(
      samples: Int64(frame.decodedWidth) * Int64(frame.decodedHeight) * Int64(color.channels))
  }

  /// Reads the scans and writes the image to `pixels`, which must have room for it. Throws only for
  /// errors in the first scan's header.
  mutating func decode(
    _ frame: JPEGFrame, _ color: JPEGColor, to pixels: UnsafeMutablePointer<UInt8>
  ) throws(JPEGError) {
    let bands = JPEGBands(frame)
    let isStored = keepsCoefficients(frame)
    components = frame.specifications.map { JPEGComponent(frame, $0, bands, isStored: isStored) }
    let renderer = unsafe JPEGRenderer(frame, bands, components, color, to: pixels)
    self.bands = bands
    if !isStored { self.renderer = renderer }
    do throws(JPEGError) {
      while try !readSegment() {}
    } catch {
      guard scans > 0 else { throw truncation ?? error }
      damage = damage ?? error
    }
    damage = truncation ?? damage
    if frame.isProgressive { smooth(frame) }
    if isStored { renderer.render(work) }
    try work.check(JPEGError.stopped)
  }

  /// Sets up the estimation of coefficients that no scan has coded.
  private func smooth(_ frame: JPEGFrame) {
    guard components.allSatisfy({ $0.allowsSmoothing }),
      components.contains(where: { $0.wantsSmoothing })
    else { return }
    for component in components {
      component.smoother = JPEGSmoother(
        component, frame, lastLine: lastLine, isOnlyScan: scans == 1)
    }
  }

  /// Whether coefficients must be kept for later scans.
  private func keepsCoefficients(_ frame: JPEGFrame) -> Bool {
    frame.isProgressive || !isNextScanWhole(frame)
  }

  /// Throws if the image exceeds the memory limit. The reader must be before the first scan.
  func checkMemory(of frame: JPEGFrame, channels: Int) throws(JPEGError) {
    let coefficients = keepsCoefficients(frame) ? Int64(frame.blockBytes) : 0
    try Limits.check(
      width: frame.decodedWidth, height: frame.decodedHeight, channels: channels,
      isPart: isYCbCr != nil, working: coefficients, limits, JPEGError.memory)
  }

  /// Whether the next scan contains every component.
  private func isNextScanWhole(_ frame: JPEGFrame) -> Bool {
    var reader = reader
    guard let marker = reader.nextMarker(), var segment = try? reader.segment(marker),
      let count = try? segment.byte()
    else { return false }
    return Int(count) == frame.specifications.count
  }

  /// Reads the next segment, and its scan if it starts one; returns whether the image ends.
  private mutating func readSegment() throws(JPEGError) -> Bool {
    try work.charge(Self.segmentSteps, JPEGError.stopped)
    guard let marker = reader.nextMarker() else {
      guard isComplete else { throw .incomplete(offset: reader.position, scans: scans) }
      return true
    }
    switch marker {
    case JPEGMarker.endOfImage:
      guard isDecodable else { throw .incomplete(offset: reader.position - 2, scans: scans) }
      return true
    case JPEGMarker.startOfImage:
      reader.position -= 2
      guard isComplete else { throw .unexpectedMarker(marker, offset: reader.position) }
      return true
    case JPEGMarker.startOfScan: try readScan(try reader.segment(marker))
    default: try readTable(marker)
    }
    return false
  }

  /// Reads a segment with tables, parameters or the frame header.
  private mutating func readTable(_ marker: UInt8) throws(JPEGError) {
    var segment: JPEGSegment
    do throws(JPEGError) { segment = try reader.segment(marker) } catch {
      // Other decoders read such a length as that of an empty segment.
      guard case .badSegmentLength = error, JPEGMarker.isOptional(marker) else { throw error }
      damage = damage ?? error
      reader.position += 2
      return
    }
    switch marker {
    case JPEGMarker.quantizationTables, JPEGMarker.huffmanTables: try tables.define(segment)
    case JPEGMarker.restartInterval:
      restartInterval = try segment.word()
      try segment.requireEnd()
    case JPEGMarker.application0:
      hasJFIF = hasJFIF || (segment.range.count >= Self.jfifSize && segment.skip("JFIF\0"))
    case JPEGMarker.application1: orientation = orientation ?? segment.exifOrientation()
    case JPEGMarker.application2: readProfile(segment)
    case JPEGMarker.application14: try readAdobe(segment)
    case JPEGMarker.hierarchicalProgression, JPEGMarker.expandReference:
      throw .unsupportedProcess(marker: marker, offset: segment.offset)
    case _ where JPEGMarker.isFrame(marker): try readFrame(segment)
    default: break
    }
  }

  /// Reads the color transform of an Adobe segment, after a name, a version and two flags.
  private mutating func readAdobe(_ segment: JPEGSegment) throws(JPEGError) {
    var body = segment
    guard body.skip("Adobe"), body.range.count >= 7 else { return }
    for _ in 0..<6 { _ = try body.byte() }
    adobeTransform = try body.byte()
  }

  /// Records a part of the color profile, after a name, its number from 1 on, and the number of parts.
  private mutating func readProfile(_ segment: JPEGSegment) {
    var body = segment
    guard body.skip("ICC_PROFILE\0"), let number = try? body.byte(), let count = try? body.byte(),
      number > 0, number <= count
    else { return }
    if profileParts.isEmpty { profileParts = Array(repeating: nil, count: Int(count)) }
    if number <= profileParts.count { profileParts[Int(number) - 1] = body.range }
  }

  /// The color profile; `nil` if there is none or a part is missing.
  var colorProfile: [UInt8]? {
    var profile: [UInt8] = []
    for part in profileParts {
      guard let part else { return nil }
      profile += reader.bytes[part]
    }
    return profile.isEmpty ? nil : profile
  }

  private mutating func readFrame(_ segment: JPEGSegment) throws(JPEGError) {
    guard frame == nil else {
      throw .unexpectedMarker(segment.marker, offset: segment.offset)
    }
    var frame = try JPEGFrame(segment, lines: reader.numberOfLines())
    guard frame.specifications.count != 2 || isYCbCr != nil else {
      throw .unsupportedComponentCount(2, offset: segment.offset)
    }
    if let minimumSide { frame.reduce(to: minimumSide) }
    self.frame = frame
  }

  /// Whether the DC coefficients of every component are known, at least coarsely.
  private var isDecodable: Bool {
    components.allSatisfy { $0.knownBits[0] >= 0 }
  }

  /// Whether every coefficient of every component is known.
  private var isComplete: Bool { components.allSatisfy { $0.isComplete } }
}

// MARK: - Scans

extension JPEGDecoder {
  private mutating func readScan(_ segment: JPEGSegment) throws(JPEGError) {
    guard let frame else { throw .unexpectedMarker(segment.marker, offset: segment.offset) }
    guard scans < Limits.scans else {
      throw .tooManyScans(limit: Limits.scans, offset: segment.offset)
    }
    let scan = try JPEGScan(segment, frame)
    // The coefficients have already been converted to pixels and cleared.
    guard renderer == nil || scans == 0 else {
      throw .unexpectedMarker(segment.marker, offset: segment.offset)
    }
    let members = scan.specifications.map { components[$0.component] }
    for member in members {
      let index = member.specification.quantizationTable
      if let table = tables.quantization[index] { member.latch(table) }
      guard member.hasQuantization else {
        throw .missingQuantizationTable(index: index, scan: scans)
      }
    }
    var decoder = JPEGScanDecoder(
      reader.bytes, start: reader.position, scan: scans, restartInterval: restartInterval,
      frame: frame, components: members, work: work)
    if frame.isProgressive {
      try decodeProgressive(scan, members, &decoder)
    } else {
      try decodeSequential(scan, members, &decoder)
    }
    for member in members {
      if frame.isProgressive {
        member.note(scan, isFirst: scans == 0)
      } else {
        member.noteAll()
      }
    }
    damage = damage ?? decoder.damage
    lastLine = decoder.lastStartedLine
    reader.position = decoder.position
    scans += 1
  }

  private func decodeSequential(
    _ scan: JPEGScan, _ members: [JPEGComponent], _ decoder: inout JPEGScanDecoder
  ) throws(JPEGError) {
    let dc = try dcTables(scan)
    let ac = try acTables(scan)
    var coder = JPEGSequentialCoder(members, dc: dc, ac: ac)
    decode(with: &coder, &decoder)
    withExtendedLifetime((dc, ac)) {}
  }

  /// Reads a scan; if it is the image's only one, renders it at the same time.
  private func decode(
    with coder: inout some JPEGBlockCoder, _ decoder: inout JPEGScanDecoder
  ) {
    guard let renderer, let bands else { return decoder.decode(with: &coder) }
    coder.reset()
    renderer.render(work) { band in
      decoder.decode(frameLines: (band + 1) * bands.unitLines, with: &coder)
    }
  }

  private func decodeProgressive(
    _ scan: JPEGScan, _ members: [JPEGComponent], _ decoder: inout JPEGScanDecoder
  ) throws(JPEGError) {
    if scan.start == 0, scan.high == 0 {
      let tables = try dcTables(scan)
      var coder = JPEGFirstDCCoder(members, tables, low: scan.low)
      decoder.decode(with: &coder)
      withExtendedLifetime(tables) {}
    } else if scan.start == 0 {
      var coder = JPEGLaterDCCoder(members, low: scan.low)
      decoder.decode(with: &coder)
    } else {
      let tables = try acTables(scan)
      let band = scan.start...scan.end
      if scan.high == 0 {
        var coder = JPEGFirstACCoder(members[0], tables[0], band: band, low: scan.low)
        decoder.decode(with: &coder)
      } else {
        var coder = JPEGLaterACCoder(members[0], tables[0], band: band, low: scan.low)
        decoder.decode(with: &coder)
      }
      withExtendedLifetime(tables) {}
    }
  }

  func dcTables(_ scan: JPEGScan) throws(JPEGError) -> [JPEGHuffmanTable] {
    var tables: [JPEGHuffmanTable] = []
    for specification in scan.specifications {
      guard let table = try self.tables.huffman.dc(specification.dcTable) else {
        throw .missingHuffmanTable(index: specification.dcTable, scan: scans)
      }
      tables.append(table)
    }
    return tables
  }

  func acTables(_ scan: JPEGScan) throws(JPEGError) -> [JPEGHuffmanTable] {
    var tables: [JPEGHuffmanTable] = []
    for specification in scan.specifications {
      guard let table = try self.tables.huffman.ac(specification.acTable) else {
        throw .missingHuffmanTable(index: 0x10 | specification.acTable, scan: scans)
      }
      tables.append(table)
    }
    return tables
  }
}
