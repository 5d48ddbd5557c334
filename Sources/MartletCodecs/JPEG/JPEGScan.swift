//===--- JPEGScan.swift - the scan header ---------------------------------===//
//
// ITU-T T.81, B.2.3 and table G.1: which components a scan holds, and which
// bits of which coefficients.
//
// Contract  A scan that `init` accepts names components of the frame, each once,
//           and a band and bit position that its coder can work on.
// Checked   Tests/MartletCodecsTests/JPEGHeaderTests.swift
//===----------------------------------------------------------------------===//

/// What an SOS segment says.
struct JPEGScan {
  /// One component's line of the header.
  struct Specification {
    /// The component's place in the frame.
    let component: Int
    let dcTable: Int
    let acTable: Int
  }

  /// The highest bit position that a progressive scan may begin at.
  private static let lowestBitMaximum = 13

  let specifications: [Specification]
  /// The band of coefficients, in the order of coding.
  let start: Int
  let end: Int
  /// The bit position that earlier scans have reached, and the one that this scan reaches.
  let high: Int
  let low: Int

  init(_ segment: JPEGSegment, _ frame: JPEGFrame) throws(JPEGError) {
    var body = segment
    specifications = try Self.specifications(&body, frame)
    start = Int(try body.byte())
    end = Int(try body.byte())
    let positions = Int(try body.byte())
    high = positions >> 4
    low = positions & 15
    try body.requireEnd()
    guard !frame.isProgressive || isProgression else {
      throw .badProgression(start: start, end: end, high: high, low: low, offset: body.offset)
    }
  }

  private static func specifications(
    _ body: inout JPEGSegment, _ frame: JPEGFrame
  ) throws(JPEGError) -> [Specification] {
    let count = Int(try body.byte())
    var result: [Specification] = []
    for _ in 0..<count {
      let identifier = try body.byte()
      let tables = Int(try body.byte())
      guard
        let component = frame.specifications.firstIndex(where: { $0.identifier == identifier })
      else {
        throw .badScanComponents(identifier: identifier, count: count, offset: body.offset)
      }
      guard !result.contains(where: { $0.component == component }) else {
        throw .duplicateComponent(identifier: identifier, offset: body.offset)
      }
      guard tables >> 4 < 4, tables & 15 < 4 else {
        throw .badTableIndex(marker: body.marker, index: tables, offset: body.offset)
      }
      result.append(
        Specification(component: component, dcTable: tables >> 4, acTable: tables & 15))
    }
    guard !result.isEmpty else {
      throw .badScanComponents(identifier: 0, count: 0, offset: body.offset)
    }
    return result
  }

  /// Whether the band and the bits are those of a progressive scan.
  private var isProgression: Bool {
    guard high == 0 || high == low + 1, low <= Self.lowestBitMaximum else { return false }
    if start == 0 { return end == 0 }
    return specifications.count == 1 && start <= end && end < 64
  }
}
