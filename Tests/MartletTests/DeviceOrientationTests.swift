import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

/// The table of device orientations and cameras, with EXIF values.
@Suite struct DeviceOrientationTests {
  static let table: [(DeviceOrientation, back: Int, front: Int)] = [
    (.portrait, 6, 5), (.landscapeLeft, 1, 4), (.portraitUpsideDown, 8, 7),
    (.landscapeRight, 3, 2), (.faceUp, 1, 1), (.faceDown, 1, 1), (.unknown, 1, 1),
  ]

  @Test func tableCoversEveryOrientation() {
    #expect(Set(DeviceOrientationTests.table.map(\.0)) == Set(DeviceOrientation.allCases))
    #expect(DeviceOrientation.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    #expect(CameraPosition.allCases.map(\.rawValue) == [1, 2])
  }

  @Test(arguments: table)
  func imageOrientationMatchesTable(_ device: DeviceOrientation, back: Int, front: Int) {
    for (camera, exif) in [(CameraPosition.back, back), (.front, front)] {
      #expect(
        imageOrientation(deviceOrientation: device, cameraPosition: camera).rawValue == exif)
      #expect(
        VisionDetectorImageOrientation(deviceOrientation: device, cameraPosition: camera).rawValue
          == exif)
    }
  }
}
