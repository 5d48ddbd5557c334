import MartletCommandLine
import MartletFaces
import MartletVision
import Testing

@testable import MartletTool

@Suite struct FaceOptionsTests {
  private func parts(_ words: [String], isTracking: Bool = false) throws -> FaceParts {
    let arguments = try Arguments(["a.jpg"] + words, for: FacesCommand.specification)
    return try FaceOptions(arguments, isTracking: isTracking).parts
  }

  @Test func facesAloneAreAccurateAndAnySize() throws {
    #expect(try parts([]) == FaceParts.asking { $0.isAccurate = true })
    #expect(try parts(["--mode", "accurate"]) == parts([]))
    #expect(try parts(["--mode", "fast"]) == FaceParts())
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
      (["--min-face-size", "0.25"], .asking { $0.leastSize = 0.25 }),
      (["--max-faces=3"], .asking { $0.limit = 3 }),
      (["--min-score", "0.75"], .asking { $0.leastScore = 0.75 }),
    ] as [([String], FaceParts)])
  func anOptionAsksForItsPart(_ words: [String], _ asked: FaceParts) throws {
    #expect(try parts(words + ["--mode", "fast"]) == asked)
    var accurate = asked
    accurate.isAccurate = true
    #expect(try parts(words) == accurate)
  }

  @Test func fastContoursAloneAreOfOneFaceAsInMLKit() throws {
    let one = try parts(["--mode", "fast", "--contours"], isTracking: true)
    #expect(one.limit == 1 && !one.angles && !one.tracking)
    let all = try parts(["--mode", "fast", "--all-contours"], isTracking: true)
    #expect(all.limit == .max && all.angles && all.tracking && all.contours == .all)
  }

  @Test(arguments: [
    ["--mode", "exact"], ["--min-face-size", "1.5"], ["--min-face-size", "-0.1"],
    ["--min-face-size", "nan"], ["--min-score", "1.5"], ["--max-faces", "0"],
    ["--max-faces", "few"],
    ["--mode", "fast", "--contours", "--max-faces", "2"],
    ["--mode", "fast", "--contours", "--min-face-size", "0.1"],
  ])
  func otherValuesAreWrongUse(_ words: [String]) {
    #expect(throws: UsageError.self) { try parts(words) }
  }
}

extension FaceParts {
  /// What faces alone have, and what `ask` asks for.
  fileprivate static func asking(_ ask: (inout FaceParts) -> Void) -> FaceParts {
    var parts = FaceParts()
    ask(&parts)
    return parts
  }
}
