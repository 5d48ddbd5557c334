import MartletBase
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct ResizeTests {
  private func row(_ input: Int, _ output: Int, corners: Bool, centers: Bool) -> Resize {
    Resize(
      batches: 1, rows: ResizeAxis(input: 1, output: 1, alignsCorners: false, usesCenters: false),
      columns: ResizeAxis(
        input: input, output: output, alignsCorners: corners, usesCenters: centers), depth: 1)
  }

  /// 0, 10, 20 resized to twice the width, computed by hand.
  @Test(
    arguments: [
      (false, false, [0, 5, 10, 15, 20, 20]), (true, false, [0, 4, 8, 12, 16, 20]),
      (false, true, [0, 2.5, 7.5, 12.5, 17.5, 20]),
    ] as [(Bool, Bool, [Float])])
  func interpolates(_ corners: Bool, _ centers: Bool, _ expected: [Float]) {
    let resize = row(3, 6, corners: corners, centers: centers)
    let y = filled(6, with: Float.nan) { y in
      withBuffer([0, 10, 20]) { Reference.resizeBilinear($0, resize, into: y) }
    }
    for (found, want) in zip(y, expected) { #expect(abs(found - want) < 1e-5) }
    let bytes = filled(6, with: UInt8.max) { y in
      withBuffer([UInt8(0), 10, 20]) { Reference.resizeBilinear($0, resize, into: y) }
    }
    for (found, want) in zip(bytes, expected) { #expect(abs(Float(found) - want) <= 0.5) }
    let fixed = filled(6, with: Int8.max) { y in
      withBuffer([Int8(0), 10, 20]) { Reference.resizeBilinear(fixed: $0, resize, into: y) }
    }
    for (found, want) in zip(fixed, expected) { #expect(abs(Float(found) - want) <= 0.55) }
  }

  @Test func findsTheNearestPixel() {
    let wide = ResizeAxis(input: 3, output: 6, alignsCorners: false, usesCenters: false)
    #expect((0..<6).map { wide.nearest(to: $0) } == [0, 0, 1, 1, 2, 2])
    let corners = ResizeAxis(input: 3, output: 5, alignsCorners: true, usesCenters: false)
    #expect((0..<5).map { corners.nearest(to: $0) } == [0, 1, 1, 2, 2])
    let narrow = ResizeAxis(input: 7, output: 2, alignsCorners: false, usesCenters: true)
    #expect((0..<2).map { narrow.nearest(to: $0) } == [1, 5])
  }

  /// Scales in steps of 2⁻¹⁰ round up, so unclamped positions would leave the image.
  @Test func staysWithinTheImage() {
    for (input, output) in [(10, 6000), (1, 5000), (3, 4097)] {
      let axis = ResizeAxis(
        input: input, output: output, alignsCorners: false, usesCenters: false)
      for index in [0, output / 2, output - 1] {
        let fixed = axis.fixedNeighbors(of: index)
        #expect((0..<input).contains(fixed.lower) && (0..<input).contains(fixed.upper))
        let real = axis.neighbors(of: index)
        #expect((0..<input).contains(real.lower) && (0..<input).contains(real.upper))
      }
    }
  }
}
