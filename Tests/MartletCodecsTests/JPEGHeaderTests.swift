import Testing

@testable import MartletCodecs

@Suite struct JPEGHeaderTests {
  /// The bytes after the start marker, and the expected error.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let segments: [UInt8]
    let error: JPEGError

    init(_ name: String, _ segments: [[UInt8]], _ error: JPEGError) {
      testDescription = name
      self.segments = Array(segments.joined())
      self.error = error
    }
  }

  @Test(arguments: files + tables + frames + scans)
  func rejectsInvalidSegments(_ one: Case) {
    #expect(JPEGFile.error(JPEGFile.start + one.segments) == one.error)
    #expect(!one.error.description.isEmpty)
  }

  @Test(arguments: [[], [0xFF], [0xFF, 0xD9], [0x89, 0x50, 0x4E, 0x47]] as [[UInt8]])
  func rejectsOtherFiles(bytes: [UInt8]) {
    #expect(JPEGFile.error(bytes) == .notJPEG)
  }

  @Test(arguments: [0xC5, 0xC6, 0xC7, 0xC8, 0xCD, 0xCE, 0xCF] as [UInt8])
  func reportsMarkerOfUnknownProcess(marker: UInt8) {
    let error = JPEGFile.error(JPEGFile.start + JPEGFile.frame(marker))
    #expect(error == .unsupportedProcess(marker: marker, offset: 2))
    #expect(error?.description.contains(JPEGMarker.name(marker)) == true)
  }

  @Test(arguments: [
    (0xC3, "SOF3", "lossless", "ffmpeg -i FILE out.png"),
    (0xC9, "SOF9", "arithmetic-coded", "jpegtran -outfile out.jpg FILE"),
    (0xCA, "SOF10", "arithmetic-coded", "jpegtran -outfile out.jpg FILE"),
    (0xCB, "SOF11", "lossless arithmetic-coded", "the program that wrote it"),
  ])
  func errorExplainsHowToConvertOtherProcesses(
    _ marker: UInt8, _ name: String, _ process: String, _ command: String
  ) {
    // Arithmetic-coded files have conditioning tables before the frame.
    let tables = JPEGFile.segment(0xCC, [0, 0x10])
    let error = JPEGFile.error(JPEGFile.start + tables + JPEGFile.frame(marker))
    #expect(
      error?.description == """
        \(name) at byte 8: \(process) JPEG is not supported: convert the file, e.g. with \(command)
        """)
  }

  @Test func readsTablesOfTwoByteSteps() throws {
    let steps = JPEGFile.segment(
      0xDB, [0x10] + Array(repeatElement([0, 8], count: 64).joined()))
    let bytes =
      JPEGFile.start + steps + JPEGFile.frame(0xC1) + JPEGFile.tables + JPEGFile.scan()
      + JPEGFile.block
    #expect(try JPEG.decode(bytes).samples == Array(repeating: 138, count: 64))
  }

  static let files = [
    Case("no segment", [], .incomplete(offset: 2, scans: 0)),
    Case("no image", [JPEGFile.end], .incomplete(offset: 2, scans: 0)),
    Case("no length", [[0xFF, 0xDB, 0]], .truncated(offset: 4, count: 2, fileSize: 5)),
    Case(
      "a length of one", [[0xFF, 0xDB, 0, 1]],
      .badSegmentLength(marker: 0xDB, offset: 2, length: 1, expected: 2)),
    Case(
      "a segment beyond the end", [[0xFF, 0xFE, 1, 0, 9]],
      .truncated(offset: 4, count: 256, fileSize: 7)),
    Case("a second start", [JPEGFile.start], .unexpectedMarker(0xD8, offset: 2)),
    Case(
      "a hierarchy", [JPEGFile.segment(0xDE, [])], .unsupportedProcess(marker: 0xDE, offset: 2)),
    Case(
      "an expansion", [JPEGFile.segment(0xDF, [0])],
      .unsupportedProcess(marker: 0xDF, offset: 2)),
  ]

  static let tables = [
    Case(
      "quantization table 4", [JPEGFile.steps(4)],
      .badTableIndex(marker: 0xDB, index: 4, offset: 2)),
    Case(
      "steps of three bytes", [JPEGFile.steps(0x20)],
      .badTableIndex(marker: 0xDB, index: 0x20, offset: 2)),
    Case(
      "too few steps", [JPEGFile.segment(0xDB, [0, 1, 2])],
      .badSegmentLength(marker: 0xDB, offset: 2, length: 0, expected: 1)),
    Case(
      "Huffman table 4", [JPEGFile.table(4, [0])],
      .badTableIndex(marker: 0xC4, index: 4, offset: 2)),
    Case(
      "a Huffman table of class 2", [JPEGFile.table(0x20, [0])],
      .badTableIndex(marker: 0xC4, index: 0x20, offset: 2)),
    Case(
      "three codes of one bit in a scan's table",
      [
        JPEGFile.segment(0xC4, [0, 3] + Array(repeating: 0, count: 15) + [1, 2, 3]),
        JPEGFile.steps(), JPEGFile.frame(), JPEGFile.scan(),
      ],
      .badHuffmanTable(index: 0, length: 1, offset: 2)),
    Case(
      "a DC difference of 16 bits in a scan's table",
      [
        JPEGFile.table(1, [3, 16]), JPEGFile.steps(), JPEGFile.frame(),
        JPEGFile.scan([[1, 0x10]]),
      ],
      .badHuffmanTable(index: 1, length: 2, offset: 2)),
    Case(
      "too few symbols", [JPEGFile.segment(0xC4, [0, 2] + Array(repeating: 0, count: 15) + [1])],
      .badSegmentLength(marker: 0xC4, offset: 2, length: 0, expected: 1)),
    Case(
      "a restart interval of three bytes", [JPEGFile.segment(0xDD, [0, 0, 1])],
      .badSegmentLength(marker: 0xDD, offset: 2, length: 1, expected: 0)),
  ]

  static let frames = [
    Case(
      "twelve bits", [JPEGFile.frame(0xC1, bits: 12)],
      .unsupportedPrecision(bits: 12, offset: 2)),
    Case("no column", [JPEGFile.frame(width: 0)], .emptyImage(width: 0, height: 8, offset: 2)),
    Case(
      "no row and no number of lines", [JPEGFile.frame(height: 0)],
      .emptyImage(width: 8, height: 0, offset: 2)),
    Case(
      "no row and a number of lines of zero",
      [
        JPEGFile.frame(height: 0), JPEGFile.scan(), JPEGFile.block,
        JPEGFile.segment(0xDC, [0, 0]),
      ], .emptyImage(width: 8, height: 0, offset: 2)),
    Case(
      "the greatest size", [JPEGFile.frame(width: 65535, height: 65535)],
      .tooManyPixels(width: 65535, height: 65535, limit: Limits.pixels)),
    Case(
      "no component", [JPEGFile.frame(components: [])],
      .unsupportedComponentCount(0, offset: 2)),
    Case(
      "two components", [JPEGFile.frame(components: [[1, 0x11, 0], [2, 0x11, 0]])],
      .unsupportedComponentCount(2, offset: 2)),
    Case(
      "a sampling factor of zero", [JPEGFile.frame(components: [[1, 0x01, 0]])],
      .badSamplingFactor(component: 0, horizontal: 0, vertical: 1, offset: 2)),
    Case(
      "a sampling factor of five",
      [JPEGFile.frame(components: [[1, 0x11, 0], [2, 0x15, 0], [3, 0x11, 0]])],
      .badSamplingFactor(component: 1, horizontal: 1, vertical: 5, offset: 2)),
    Case(
      "a component with table 4", [JPEGFile.frame(components: [[1, 0x11, 4]])],
      .badTableIndex(marker: 0xC0, index: 4, offset: 2)),
    Case(
      "a byte too many", [JPEGFile.segment(0xC0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0, 0])],
      .badSegmentLength(marker: 0xC0, offset: 2, length: 1, expected: 0)),
    Case(
      "two frames", [JPEGFile.frame(), [0], JPEGFile.frame()],
      .unexpectedMarker(0xC0, offset: 16)),
  ]

  /// A valid frame in 82 bytes, or a progressive one with three components in 88.
  private static let frame = [JPEGFile.steps(), JPEGFile.frame()]
  private static let progressive = [
    JPEGFile.steps(),
    JPEGFile.frame(0xC2, components: [[1, 0x11, 0], [2, 0x11, 0], [3, 0x11, 0]]),
  ]

  static let scans =
    [
      Case("a scan before the frame", [JPEGFile.scan()], .unexpectedMarker(0xDA, offset: 2)),
      Case(
        "a component that is not there", frame + [JPEGFile.scan([[7, 0]])],
        .badScanComponents(identifier: 7, count: 1, offset: 84)),
      Case(
        "no component in a scan", frame + [JPEGFile.scan([])],
        .badScanComponents(identifier: 0, count: 0, offset: 84)),
      Case(
        "a component twice in a scan", frame + [JPEGFile.scan([[1, 0], [1, 0]])],
        .duplicateComponent(identifier: 1, offset: 84)),
      Case(
        "a scan with table 4", frame + [JPEGFile.scan([[1, 0x04]])],
        .missingHuffmanTable(index: 0x14, scan: 0)),
      Case(
        "no quantization table", [JPEGFile.frame(), JPEGFile.scan()],
        .missingQuantizationTable(index: 0, scan: 0)),
      Case(
        "no DC table", frame + [JPEGFile.scan([[1, 0x20]])],
        .missingHuffmanTable(index: 2, scan: 0)),
      Case(
        "no AC table", frame + [JPEGFile.scan([[1, 0x02]])],
        .missingHuffmanTable(index: 0x12, scan: 0)),
    ]
    + [(0, 1, 0), (5, 4, 0), (1, 64, 0), (1, 5, 0x31), (1, 5, 0x0E)].map {
      (start, end, bits) -> Case in
      Case(
        "a progression \(start) \(end) \(bits)",
        progressive + [JPEGFile.scan(start: UInt8(start), end: UInt8(end), bits: UInt8(bits))],
        .badProgression(start: start, end: end, high: bits >> 4, low: bits & 15, offset: 90))
    } + [
      Case(
        "AC coefficients of two components",
        progressive + [JPEGFile.scan([[1, 0], [2, 0]], start: 1, end: 5)],
        .badProgression(start: 1, end: 5, high: 0, low: 0, offset: 90))
    ]
}
