import MartletTestSupport
import Testing

@Suite struct BuffersTests {
  @Test func returnsWrittenElements() {
    let elements = filled(5, with: 1) { $0[4] = 2 }
    #expect(elements == [1, 1, 1, 1, 2])
  }

  @Test func writingPastTheEndCrashes() async {
    await #expect(processExitsWith: .failure) {
      withBuffer([1, 2, 3]) { $0.baseAddress?[3] = 4 }
    }
  }
}
