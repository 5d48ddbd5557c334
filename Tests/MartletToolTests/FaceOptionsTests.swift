import MartletCommandLine
import MartletVision
import Testing

@testable import MartletTool

@Suite struct FaceOptionsTests {
  private func configuration(_ words: [String], isTracking: Bool = false) throws
    -> FaceConfiguration
  {
    let arguments = try Arguments(["a.jpg"] + words, for: FacesCommand.specification)
    return try FaceOptions(arguments, isTracking: isTracking).configuration
      .applyingMLKitRules
  }

  @Test func defaultsAreAccurateModeAndAnySize() throws {
    #expect(try configuration([]) == FaceConfiguration.changed { $0.isAccurate = true })
    #expect(try configuration(["--mode", "accurate"]) == configuration([]))
    #expect(try configuration(["--mode", "fast"]) == FaceConfiguration(isAccurate: false))
  }

  @Test(
    arguments: [
      (["--landmarks"], .changed { $0.landmarks = true }),
      (["--classify"], .changed { $0.expressions = true }),
      (["--mesh"], .changed { $0.mesh = true }),
      (
        ["--contours", "--landmarks"],
        .changed { ($0.contours, $0.landmarks) = (.mostProminent, true) }
      ),
      (["--all-contours"], .changed { $0.contours = .all }),
      (["--contours", "--all-contours"], .changed { $0.contours = .all }),
      (["--min-face-size", "0.25"], .changed { $0.minimumSize = 0.25 }),
      (["--max-faces=3"], .changed { $0.limit = 3 }),
      (["--min-score", "0.75"], .changed { $0.minimumScore = 0.75 }),
    ] as [([String], FaceConfiguration)])
  func eachOptionSetsItsProperty(_ words: [String], _ expected: FaceConfiguration) throws {
    #expect(try configuration(words + ["--mode", "fast"]) == expected)
    var accurate = expected
    accurate.isAccurate = true
    #expect(try configuration(words) == accurate)
  }

  @Test func fastContoursAloneReturnOneFaceAsInMLKit() throws {
    let one = try configuration(["--mode", "fast", "--contours"], isTracking: true)
    #expect(one.limit == 1 && !one.angles && !one.tracking)
    let all = try configuration(["--mode", "fast", "--all-contours"], isTracking: true)
    #expect(all.limit == .max && all.angles && all.tracking && all.contours == .all)
  }

  @Test(arguments: [
    ["--mode", "exact"], ["--min-face-size", "1.5"], ["--min-face-size", "-0.1"],
    ["--min-face-size", "nan"], ["--min-score", "1.5"], ["--max-faces", "0"],
    ["--max-faces", "few"],
    ["--mode", "fast", "--contours", "--max-faces", "2"],
    ["--mode", "fast", "--contours", "--min-face-size", "0.1"],
  ])
  func rejectsInvalidValues(_ words: [String]) {
    #expect(throws: UsageError.self) { try configuration(words) }
  }
}

extension FaceConfiguration {
  /// The default options, changed by `change`.
  fileprivate static func changed(_ change: (inout FaceConfiguration) -> Void) -> FaceConfiguration
  {
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    return configuration
  }
}
