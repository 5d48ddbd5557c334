//===--- JPEGScan.swift - the scan header ---------------------------------===//
//
// ITU-T T.81, B.2.3 and table G.1: the components of a scan, and which bits of which coefficients
// it codes.
//
// Contract  A scan that `init` accepts names components of the frame, each once, with a band and a
//           bit position that its coder supports. If several components have the same identifier, the
//           scan names them in the order of the frame, as in libjpeg-turbo.
//===----------------------------------------------------------------------===//

/// The contents of an SOS segment.
struct JPEGScan {
  /// The parameters of one component.
  struct Specification {
    /// The component's index in the frame.
    let component: Int
    let dcTable: Int
    let acTable: Int
  }

  /// The maximum of `low` in a progressive scan.
  private static let lowestBitMaximum = 13

  let specifications: [Specification]
  /// The first and the last coefficient of the band, in coding order.
  let start: Int
  let end: Int
  /// The lowest bit position of earlier scans, and that of this scan.
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
      let matching = frame.specifications.indices.filter {
        frame.specifications[$0].identifier == identifier
      }
      guard !matching.isEmpty else {
        throw .badScanComponents(identifier: identifier, count: count, offset: body.offset)
      }
      let unused = matching.first { index in !result.contains { $0.component == index } }
      guard let component = unused else {
        throw .duplicateComponent(identifier: identifier, offset: body.offset)
      }
      result.append(
        Specification(component: component, dcTable: tables >> 4, acTable: tables & 15))
    }
    guard !result.isEmpty else {
      throw .badScanComponents(identifier: 0, count: 0, offset: body.offset)
    }
    return result
  }

  /// Whether the band and the bit positions are valid for a progressive scan.
  private var isProgression: Bool {
    guard high == 0 || high == low + 1, low <= Self.lowestBitMaximum else { return false }
    if start == 0 { return end == 0 }
    return specifications.count == 1 && start <= end && end < 64
  }
}
