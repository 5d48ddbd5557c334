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
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    #expect(configuration.needsMesh)
  }

  @Test(
    arguments: [
      (FaceConfiguration.Selection.none, false, false), (.mostProminent, true, false),
      (.all, true, true),
    ])
  func contourSelectionSelectsFaces(
    _ share: FaceConfiguration.Selection, _ first: Bool, _ others: Bool
  ) {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.contours = share
    #expect(configuration.hasContours(isMostProminent: true) == first)
    #expect(configuration.hasContours(isMostProminent: false) == others)
  }

  @Test(arguments: [(0, true), (0.049, true), (0.05, false), (0.1, false)] as [(Float, Bool)])
  func findsSmallFacesForSmallMinimumSize(_ minimumSize: Float, _ isExpected: Bool) {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.minimumSize = minimumSize
    #expect(!configuration.findsSmallFaces)
    configuration.isAccurate = true
    #expect(configuration.findsSmallFaces == isExpected)
  }

  /// Requests next to contours of the most prominent face that still reduce the result to that
  /// face.
  @Test(
    arguments: [
      .changed { _ in }, .changed { $0.mesh = true }, .changed { $0.isStream = true },
      .changed { $0.limit = 3 }, .changed { $0.minimumSize = 0.5 },
    ] as [FaceConfiguration])
  func contoursAloneReturnOneFace(_ requested: FaceConfiguration) {
    var configuration = requested
    configuration.contours = .mostProminent
    let ruled = configuration.applyingMLKitRules
    #expect(ruled.limit == 1 && ruled.minimumSize == 0 && !ruled.angles && !ruled.tracking)
    #expect(ruled.contours == .mostProminent && ruled.mesh == configuration.mesh)
  }

  @Test(
    arguments: [
      .changed { $0.contours = .all }, .changed { $0.contours = .none },
      .changed { ($0.contours, $0.landmarks) = (.mostProminent, true) },
      .changed { ($0.contours, $0.expressions) = (.mostProminent, true) },
      .changed { ($0.contours, $0.isAccurate) = (.mostProminent, true) },
    ] as [FaceConfiguration])
  func rulesKeepOtherOptions(_ configuration: FaceConfiguration) {
    #expect(configuration.applyingMLKitRules == configuration)
  }

  /// Face widths 60, 40 and 10 in an image of width 200.
  @Test(
    arguments: [
      (Int.max, 0, 3), (.max, 0.05, 3), (.max, 0.1, 2), (.max, 0.2, 2), (.max, 0.25, 1),
      (.max, 0.5, 0), (1, 0, 1), (1, 0.5, 0), (2, 0, 2), (0, 0, 0), (-1, 0, 0),
    ] as [(Int, Float, Int)])
  func dropsSmallFacesAndFacesBeyondTheLimit(_ limit: Int, _ least: Float, _ count: Int) {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.limit = limit
    configuration.minimumSize = least
    #expect(configuration.filtered(faces, imageWidth: 200) == Array(faces.prefix(count)))
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
