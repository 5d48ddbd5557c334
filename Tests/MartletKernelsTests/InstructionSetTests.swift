import Testing

@testable import MartletKernels

@Suite struct InstructionSetTests {
  @Test func namesTheTableThatServes() throws {
    let index = try #require(InstructionSet.allCases.firstIndex(of: .current))
    #expect(Microkernels.available.count == index + 1)
  }

  @Test func namesAreThoseOfTheDocumentation() {
    #expect(
      InstructionSet.allCases.map(\.rawValue)
        == ["baseline", "x86-64-v3", "x86-64-v4", "x86-64-v4 with VNNI"])
  }
}
