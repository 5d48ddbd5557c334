import MartletCommandLine
import MartletVision
import Testing

@testable import MartletTool

@Suite struct FaceOptionsTests {
  private func finderOptions(_ words: [String], isTracking: Bool = false) throws
    -> FaceFinderOptions
  {
    let arguments = try Arguments(["a.jpg"] + words, for: FacesCommand.specification)
    return try FaceOptions(arguments, isTracking: isTracking).finderOptions
  }

  @Test func facesWithoutOptionsAreAccurateAndOfAnySize() throws {
    #expect(try finderOptions([]) == FaceFinderOptions.asking { $0.isAccurate = true })
    #expect(try finderOptions(["--mode", "accurate"]) == finderOptions([]))
    #expect(try finderOptions(["--mode", "fast"]) == FaceFinderOptions())
  }

  @Test(
    arguments: [
      (["--landmarks"], .asking { $0.landmarks = true }),
      (["--classify"], .asking { $0.expressions = true }),
      (["--mesh"], .asking { $0.mesh = true }),
      (
        ["--contours", "--landmarks"],
        .asking { ($0.contours, $0.landmarks) = (.mostProminent, true) }
      ),
      (["--all-contours"], .asking { $0.contours = .all }),
      (["--contours", "--all-contours"], .asking { $0.contours = .all }),
      (["--min-face-size", "0.25"], .asking { $0.minimumSize = 0.25 }),
      (["--max-faces=3"], .asking { $0.limit = 3 }),
      (["--min-score", "0.75"], .asking { $0.minimumScore = 0.75 }),
    ] as [([String], FaceFinderOptions)])
  func eachOptionEnablesItsPart(_ words: [String], _ asked: FaceFinderOptions) throws {
    #expect(try finderOptions(words + ["--mode", "fast"]) == asked)
    var accurate = asked
    accurate.isAccurate = true
    #expect(try finderOptions(words) == accurate)
  }

  @Test func fastContoursAloneAreOfOneFaceAsInMLKit() throws {
    let one = try finderOptions(["--mode", "fast", "--contours"], isTracking: true)
    #expect(one.limit == 1 && !one.angles && !one.tracking)
    let all = try finderOptions(["--mode", "fast", "--all-contours"], isTracking: true)
    #expect(all.limit == .max && all.angles && all.tracking && all.contours == .all)
  }

  @Test(arguments: [
    ["--mode", "exact"], ["--min-face-size", "1.5"], ["--min-face-size", "-0.1"],
    ["--min-face-size", "nan"], ["--min-score", "1.5"], ["--max-faces", "0"],
    ["--max-faces", "few"],
    ["--mode", "fast", "--contours", "--max-faces", "2"],
    ["--mode", "fast", "--contours", "--min-face-size", "0.1"],
  ])
  func rejectsOtherValues(_ words: [String]) {
    #expect(throws: UsageError.self) { try finderOptions(words) }
  }
}

extension FaceFinderOptions {
  /// What faces alone have, and what `ask` asks for.
  fileprivate static func asking(_ ask: (inout FaceFinderOptions) -> Void) -> FaceFinderOptions {
    var finderOptions = FaceFinderOptions()
    ask(&finderOptions)
    return finderOptions
  }
}
