//===--- VisionImageMetadata.swift - Firebase's image metadata ------------===//
//
// Contract  Raw values are EXIF's. The first word is the side of row 0 in the upright
//           image, the second the side of column 0.
//===----------------------------------------------------------------------===//

import MartletBase

/// The orientation of the stored pixels: Firebase ML Vision's names, EXIF's numbers.
public enum VisionDetectorImageOrientation: Int, Sendable, CaseIterable {
  case topLeft = 1
  case topRight = 2
  case bottomRight = 3
  case bottomLeft = 4
  case leftTop = 5
  case rightTop = 6
  case rightBottom = 7
  case leftBottom = 8

  /// The orientation with the same number.
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

  /// The orientation of camera frames for a device orientation and a camera.
  public init(deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition) {
    self.init(
      Martlet.imageOrientation(
        deviceOrientation: deviceOrientation, cameraPosition: cameraPosition))
  }

  /// The orientation with the same number.
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

  /// The orientation of the stored pixels. Default: `.topLeft`.
  public var orientation: VisionDetectorImageOrientation {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension VisionImageMetadata: OrientationSource {
  package var imageOrientation: ImageOrientation { orientation.imageOrientation }
}

extension VisionImage {
  /// The metadata of the image. If set, its orientation overrides the image's own.
  public var metadata: VisionImageMetadata? {
    get { orientationSource as? VisionImageMetadata }
    set { orientationSource = newValue }
  }
}
