import Testing

@testable import MartletVision

@Suite struct FaceConfigurationTests {
  let faces = [
    TestFace.at(100, 100, side: 60), TestFace.at(50, 50, side: 40), TestFace.at(20, 20, side: 10),
  ]

  @Test func defaultsNeedNoMesh() {
    #expect(!FaceConfiguration(isAccurate: false).needsMesh)
  }

  @Test(
    arguments: [
      { $0.landmarks = true }, { $0.contours = .mostProminent }, { $0.contours = .all },
      { $0.expressions = true }, { $0.mesh = true }, { $0.isAccurate = true },
    ] as [@Sendable (inout FaceConfiguration) -> Void])
  func partsOfTheMeshNeedTheMesh(_ change: @Sendable (inout FaceConfiguration) -> Void) {
    var finderOptions = FaceConfiguration(isAccurate: false)
    change(&finderOptions)
    #expect(finderOptions.needsMesh)
  }

  @Test(
    arguments: [
      (FaceConfiguration.Selection.none, false, false), (.mostProminent, true, false),
      (.all, true, true),
    ])
  func contourSelectionSelectsFaces(
    _ share: FaceConfiguration.Selection, _ first: Bool, _ others: Bool
  ) {
    var finderOptions = FaceConfiguration(isAccurate: false)
    finderOptions.contours = share
    #expect(finderOptions.hasContours(isMostProminent: true) == first)
    #expect(finderOptions.hasContours(isMostProminent: false) == others)
  }

  @Test(arguments: [(0, true), (0.049, true), (0.05, false), (0.1, false)] as [(Float, Bool)])
  func findsSmallFacesForSmallMinimumSize(_ minimumSize: Float, _ isExpected: Bool) {
    var finderOptions = FaceConfiguration(isAccurate: false)
    finderOptions.minimumSize = minimumSize
    #expect(!finderOptions.findsSmallFaces)
    finderOptions.isAccurate = true
    #expect(finderOptions.findsSmallFaces == isExpected)
  }

  /// Requests next to contours of the most prominent face that still reduce the result to that
  /// face.
  @Test(
    arguments: [
      .changed { _ in }, .changed { $0.mesh = true }, .changed { $0.isStream = true },
      .changed { $0.limit = 3 }, .changed { $0.minimumSize = 0.5 },
    ] as [FaceConfiguration])
  func contoursAloneReturnOneFace(_ requested: FaceConfiguration) {
    var finderOptions = requested
    finderOptions.contours = .mostProminent
    let ruled = finderOptions.applyingMLKitRules
    #expect(ruled.limit == 1 && ruled.minimumSize == 0 && !ruled.angles && !ruled.tracking)
    #expect(ruled.contours == .mostProminent && ruled.mesh == finderOptions.mesh)
  }

  @Test(
    arguments: [
      .changed { $0.contours = .all }, .changed { $0.contours = .none },
      .changed { ($0.contours, $0.landmarks) = (.mostProminent, true) },
      .changed { ($0.contours, $0.expressions) = (.mostProminent, true) },
      .changed { ($0.contours, $0.isAccurate) = (.mostProminent, true) },
    ] as [FaceConfiguration])
  func rulesKeepOtherOptions(_ finderOptions: FaceConfiguration) {
    #expect(finderOptions.applyingMLKitRules == finderOptions)
  }

  /// Face widths 60, 40 and 10 in an image of width 200.
  @Test(
    arguments: [
      (Int.max, 0, 3), (.max, 0.05, 3), (.max, 0.1, 2), (.max, 0.2, 2), (.max, 0.25, 1),
      (.max, 0.5, 0), (1, 0, 1), (1, 0.5, 0), (2, 0, 2), (0, 0, 0), (-1, 0, 0),
    ] as [(Int, Float, Int)])
  func dropsSmallFacesAndFacesBeyondTheLimit(_ limit: Int, _ least: Float, _ count: Int) {
    var finderOptions = FaceConfiguration(isAccurate: false)
    finderOptions.limit = limit
    finderOptions.minimumSize = least
    #expect(finderOptions.filtered(faces, imageWidth: 200) == Array(faces.prefix(count)))
  }
}

extension FaceConfiguration {
  /// The default options, changed by `change`.
  fileprivate static func changed(_ change: (inout FaceConfiguration) -> Void) -> FaceConfiguration
  {
    var finderOptions = FaceConfiguration(isAccurate: false)
    change(&finderOptions)
    return finderOptions
  }
}
