//===--- VisionImageMetadata.swift - the earlier generation's orientations ===//
//
// Contract  Orientations count as EXIF does. The first word says where row 0 is seen, the second
//           where column 0 is.
// Checked   Tests/MartletTests/FirebaseTests.swift
//===----------------------------------------------------------------------===//

import Synchronization

/// How an image is to be turned, in Firebase ML Vision's names and EXIF's numbers.
public enum VisionDetectorImageOrientation: Int, Sendable, CaseIterable {
  case topLeft = 1
  case topRight = 2
  case bottomRight = 3
  case bottomLeft = 4
  case leftTop = 5
  case rightTop = 6
  case rightBottom = 7
  case leftBottom = 8

  /// The orientation of the same number.
  public init(_ orientation: ImageOrientation) {
    switch orientation {
    case .up: self = .topLeft
    case .upMirrored: self = .topRight
    case .down: self = .bottomRight
    case .downMirrored: self = .bottomLeft
    case .leftMirrored: self = .leftTop
    case .right: self = .rightTop
    case .rightMirrored: self = .rightBottom
    case .left: self = .leftBottom
    }
  }

  /// The orientation of a camera's frames, for a device held like this.
  public init(deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition) {
    self.init(
      Martlet.imageOrientation(
        deviceOrientation: deviceOrientation, cameraPosition: cameraPosition))
  }

  /// The orientation of the same number.
  public var imageOrientation: ImageOrientation {
    switch self {
    case .topLeft: .up
    case .topRight: .upMirrored
    case .bottomRight: .down
    case .bottomLeft: .downMirrored
    case .leftTop: .leftMirrored
    case .rightTop: .right
    case .rightBottom: .rightMirrored
    case .leftBottom: .left
    }
  }
}

/// Metadata of an image.
public final class VisionImageMetadata: Sendable {
  private let state = Mutex(VisionDetectorImageOrientation.topLeft)

  /// Metadata of an upright image.
  public init() {}

  /// How the image is to be turned to be seen upright; `.topLeft` unless set.
  public var orientation: VisionDetectorImageOrientation {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension VisionImage {
  /// What is known of the image beside its pixels; where it is set, its orientation counts in place
  /// of the image's own.
  public var metadata: VisionImageMetadata? {
    get { state.withLock { $0.metadata } }
    set { state.withLock { $0.metadata = newValue } }
  }
}
