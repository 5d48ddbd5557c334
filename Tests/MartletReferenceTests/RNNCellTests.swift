import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct RNNCellTests {
  @Test func addsAllPartsAndActivates() {
    let cell = RNNCell(
      layout: SequenceLayout(batches: 1), inputs: 1, units: 3,
      activation: .clamp(0...Float.infinity))
    let state = filled(3, with: Float.nan) { state in
      withBuffer([1, 2, -9] as [Float]) { sums in
        withBuffer([0.5, -4, 2] as [Float]) { bias in
          withBuffer([1, 1, 1] as [Float]) { recurrent in
            cell.step(sums: sums, bias: bias, recurrent: recurrent, into: state)
          }
        }
      }
    }
    #expect(state == [2.5, 0, 0])
  }
}
