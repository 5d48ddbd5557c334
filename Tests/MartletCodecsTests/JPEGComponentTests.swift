//===--- JPEGComponentTests.swift - memory of a component's samples -------===//
//
// Vectors of samples are loaded while other workers write other rows.
//===----------------------------------------------------------------------===//

import Testing

@testable import MartletCodecs

struct JPEGComponentTests {
  /// A vector at the end of a row must not reach the next row, which another worker may be writing.
  @Test(arguments: [(40, 0x21, 48), (40, 0x22, 48), (24, 0x11, 32), (16, 0x11, 16)])
  func rowsHoldWholeVectors(width: Int, factors: UInt8, stride: Int) throws {
    let body: [UInt8] = [8, 0, 16, 0, UInt8(width), 1, 1, factors, 0]
    let frame = try JPEGFrame(
      JPEGSegment(marker: 0xC0, offset: 0, bytes: body, range: 0..<body.count), lines: nil)
    let component = JPEGComponent(
      frame, frame.specifications[0], JPEGBands(frame), isStored: false)
    #expect(component.stride == stride)
  }
}
