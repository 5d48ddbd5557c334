import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct ClampTests {
  @Test func clampsToTheRange() {
    let y = filled(5, with: Float.nan) { y in
      withBuffer([-7, -0.5, 0, 5.5, 7]) { Reference.clamp($0, to: 0...6, into: y) }
    }
    #expect(y == [0, 0, 0, 5.5, 6])
  }

  @Test func openRangesKeepInfinity() {
    let x = [-Float.infinity, .infinity, 3, .nan]
    let rectified = filled(4, with: Float(9)) { y in
      withBuffer(x) { Reference.clamp($0, to: 0...(.infinity), into: y) }
    }
    #expect(rectified[..<3] == [0, .infinity, 3])
    let same = filled(4, with: Float(9)) { y in
      withBuffer(x) { Reference.clamp($0, to: -.infinity...(.infinity), into: y) }
    }
    #expect(same.map(\.bitPattern) == x.map(\.bitPattern))
  }

  @Test func worksInPlace() {
    let y = withBuffer([-2, 0.5, 3] as [Float]) { x in
      Reference.clamp(x, to: -1...1, into: x)
      return Array(x)
    }
    #expect(y == [-1, 0.5, 1])
  }
}
