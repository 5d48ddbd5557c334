import Testing

@testable import MartletVision

@Suite struct FaceLandmarkTypeTests {
  @Test func namesMatchMLKit() {
    #expect(
      FaceLandmarkType.allCases.map(\.rawValue) == [
        "mouthBottom", "mouthRight", "mouthLeft", "leftEar", "rightEar", "leftEye", "rightEye",
        "leftCheek", "rightCheek", "noseBase",
      ])
  }

  /// ML Kit's table, at angles inside each of its rows and at their limits.
  @Test(
    arguments: [
      ([-90, -50, -36.1], [.leftEye, .mouthLeft, .leftEar, .noseBase, .leftCheek]),
      (
        [-36, -20, -12.1],
        [.mouthLeft, .noseBase, .mouthBottom, .rightEye, .leftEye, .leftCheek, .leftEar]
      ),
      (
        [-12, 0, 12],
        [
          .rightEye, .leftEye, .noseBase, .leftCheek, .rightCheek, .mouthLeft, .mouthRight,
          .mouthBottom,
        ]
      ),
      (
        [12.1, 20, 36],
        [.mouthRight, .noseBase, .mouthBottom, .leftEye, .rightEye, .rightCheek, .rightEar]
      ),
      ([36.1, 50, 90], [.rightEye, .mouthRight, .rightEar, .noseBase, .rightCheek]),
    ] as [([Float], Set<FaceLandmarkType>)])
  func visibleLandmarksMatchTheTable(_ angles: [Float], _ visible: Set<FaceLandmarkType>) {
    for angle in angles {
      let found = FaceLandmarkType.allCases.filter { $0.isVisible(atEulerY: angle) }
      #expect(Set(found) == visible, "at \(angle)")
    }
  }
}
