import Testing

@testable import MartletTensor

@Suite struct ArgMaxTests {
  @Test func tiesGoToTheLowerIndex() {
    let best = filled(2, with: Int64(-1)) { y in
      withBuffer([1, 5, 5, 0, 7, 7, 7, 2] as [Float]) {
        Reference.bestIndex($0, extent: 4, inner: 1, into: y) { $0 > $1 }
      }
    }
    #expect(best == [1, 0])
  }

  @Test func stepsOverInnerAxes() {
    let least = filled(2, with: Int32(-1)) { y in
      withBuffer([Int8(3), 9, 1, 8, 2, 7]) {
        Reference.bestIndex($0, extent: 3, inner: 2, into: y) { $0 < $1 }
      }
    }
    #expect(least == [1, 2])
  }
}
