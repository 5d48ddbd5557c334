import MartletCommandLine
import Testing

@testable import MartletTool

@Suite struct StopwatchTests {
  @Test func reportsNothingUnlessRunning() {
    let watch = Stopwatch(isRunning: false)
    #expect(watch.json.isEmpty)
    #expect(watch.words.isEmpty)
  }

  @Test func reportsMillisecondsIfRunning() throws {
    let watch = Stopwatch(isRunning: true)
    #expect(watch.json.map(\.0) == ["milliseconds"])
    #expect(try #require(Double(watch.words)) >= 0)
  }
}
