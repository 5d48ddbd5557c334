import Testing

@testable import MartletFaces

@Suite struct FacePartsTests {
  let faces = [
    TestFace.at(100, 100, side: 60), TestFace.at(50, 50, side: 40), TestFace.at(20, 20, side: 10),
  ]

  @Test func facesAloneNeedNoMesh() {
    #expect(!FaceParts().needsMesh)
  }

  @Test(
    arguments: [
      { $0.landmarks = true }, { $0.contours = .mostProminent }, { $0.contours = .all },
      { $0.expressions = true }, { $0.mesh = true }, { $0.isAccurate = true },
    ] as [@Sendable (inout FaceParts) -> Void])
  func whatComesFromTheMeshNeedsIt(_ ask: @Sendable (inout FaceParts) -> Void) {
    var parts = FaceParts()
    ask(&parts)
    #expect(parts.needsMesh)
  }

  @Test(
    arguments: [
      (FaceParts.Share.none, false, false), (.mostProminent, true, false), (.all, true, true),
    ])
  func contoursBelongToSomeOfTheFaces(_ share: FaceParts.Share, _ first: Bool, _ others: Bool) {
    var parts = FaceParts()
    parts.contours = share
    #expect(parts.hasContours(isMostProminent: true) == first)
    #expect(parts.hasContours(isMostProminent: false) == others)
  }

  @Test(arguments: [(0, true), (0.049, true), (0.05, false), (0.1, false)] as [(Float, Bool)])
  func smallFacesAreLookedForWhereTheyAreAskedFor(_ leastSize: Float, _ isAsked: Bool) {
    var parts = FaceParts()
    parts.leastSize = leastSize
    #expect(!parts.findsSmallFaces)
    parts.isAccurate = true
    #expect(parts.findsSmallFaces == isAsked)
  }

  /// What is requested beside contours of one face; only there that face is given alone.
  @Test(
    arguments: [
      .asking { _ in }, .asking { $0.mesh = true }, .asking { $0.tracking = true },
      .asking { $0.limit = 3 }, .asking { $0.leastSize = 0.5 },
    ] as [FaceParts])
  func contoursAloneAreOfOneFace(_ asked: FaceParts) {
    var parts = asked
    parts.contours = .mostProminent
    let ruled = parts.byMLKitsRule
    #expect(ruled.limit == 1 && ruled.leastSize == 0 && !ruled.angles && !ruled.tracking)
    #expect(ruled.contours == .mostProminent && ruled.mesh == parts.mesh)
  }

  @Test(
    arguments: [
      .asking { $0.contours = .all }, .asking { $0.contours = .none },
      .asking { ($0.contours, $0.landmarks) = (.mostProminent, true) },
      .asking { ($0.contours, $0.expressions) = (.mostProminent, true) },
      .asking { ($0.contours, $0.isAccurate) = (.mostProminent, true) },
    ] as [FaceParts])
  func otherwiseTheRuleChangesNothing(_ parts: FaceParts) {
    #expect(parts.byMLKitsRule == parts)
  }

  /// Widths 60, 40 and 10 in an image of 200.
  @Test(
    arguments: [
      (Int.max, 0, 3), (.max, 0.05, 3), (.max, 0.1, 2), (.max, 0.2, 2), (.max, 0.25, 1),
      (.max, 0.5, 0), (1, 0, 1), (1, 0.5, 0), (2, 0, 2), (0, 0, 0), (-1, 0, 0),
    ] as [(Int, Float, Int)])
  func smallFacesAndThoseBeyondTheLimitAreNotGiven(_ limit: Int, _ least: Float, _ count: Int) {
    var parts = FaceParts()
    parts.limit = limit
    parts.leastSize = least
    #expect(parts.given(faces, imageWidth: 200) == Array(faces.prefix(count)))
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
