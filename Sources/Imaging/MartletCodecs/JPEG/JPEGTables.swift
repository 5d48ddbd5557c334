//===--- JPEGTables.swift - tables and zigzag order ------------------------===//
//
// ITU-T T.81, B.2.4.1 and figure A.6. Tables are stored in natural (row-major) order, as the
// transform reads them.
//===----------------------------------------------------------------------===//

/// The coding order of the coefficients of a block.
enum JPEGZigzag {
  /// The natural (row-major) index of each coefficient in coding order.
  static let natural: [UInt8] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
  ]
}

/// The tables of a file.
struct JPEGTables {
  private(set) var quantization = JPEGQuantizationTables()
  private(set) var huffman = JPEGHuffmanTables()

  /// No tables.
  init() {}

  /// The tables in an abbreviated file, one without an image.
  init(_ bytes: [UInt8]) throws(JPEGError) {
    var reader = JPEGReader(bytes, start: 0)
    guard reader.skipStartOfImage() else { throw .notJPEG }
    while let marker = reader.nextMarker(), marker != JPEGMarker.endOfImage {
      try define(try reader.segment(marker))
    }
  }

  /// Reads every table of a segment, if it has tables.
  mutating func define(_ segment: JPEGSegment) throws(JPEGError) {
    switch segment.marker {
    case JPEGMarker.quantizationTables: try quantization.define(segment)
    case JPEGMarker.huffmanTables: try huffman.define(segment)
    default: break
    }
  }
}

/// The four quantization tables of a file.
struct JPEGQuantizationTables {
  private var tables: [[UInt16]] = [[], [], [], []]

  /// The table at `index`, in natural order; `nil` if the file has not defined it.
  subscript(index: Int) -> [UInt16]? { tables[index].isEmpty ? nil : tables[index] }

  /// Reads every table of a DQT segment.
  mutating func define(_ segment: JPEGSegment) throws(JPEGError) {
    var body = segment
    while !body.isEmpty {
      let selector = try body.tableSelector()
      var table = [UInt16](repeating: 0, count: 64)
      for natural in JPEGZigzag.natural {
        table[Int(natural)] = UInt16(selector >> 4 == 0 ? Int(try body.byte()) : try body.word())
      }
      tables[selector & 15] = table
    }
  }
}
