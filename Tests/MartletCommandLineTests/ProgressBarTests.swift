import Testing

@testable import MartletCommandLine

@Suite struct ProgressBarTests {
  @Test(
    arguments: [
      (0, 100, 0, "[..............................] 0/100"),
      (30, 100, 2, "[#########.....................] 30/100, 15 a second, 5 s left"),
      (1, 3, 4, "[##########....................] 1/3, 0.3 a second, 8 s left"),
      (0, nil, 1, "0"), (500, nil, 2, "500, 250 a second"), (0, 0, 0, "0"),
    ] as [(Int, Int?, Int, String)])
  func showsRateAndTimeLeft(_ done: Int, _ total: Int?, _ seconds: Int, _ line: String) {
    #expect(ProgressBar.line(done, of: total, after: Double(seconds)) == line)
  }
}
