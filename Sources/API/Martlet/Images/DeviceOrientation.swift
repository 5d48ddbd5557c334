//===--- DeviceOrientation.swift - camera frame orientation ---------------===//
//
// Camera frames are stored in the sensor's landscape orientation. The table maps each device
// orientation to a frame orientation. Frames of the front camera are also mirrored.
//
// Contract  `faceUp`, `faceDown` and `unknown` map to `.up`. The documentation of Firebase ML
//           Vision says both `.leftTop` and `.topLeft`; this is the latter, as in the current API.
//===----------------------------------------------------------------------===//

/// The orientation of a device; raw values are those of `UIDeviceOrientation`.
public enum DeviceOrientation: Int, Sendable, CaseIterable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  /// Turned counter-clockwise: the upper edge is on the left.
  case landscapeLeft = 3
  /// Turned clockwise: the upper edge is on the right.
  case landscapeRight = 4
  /// The screen faces up.
  case faceUp = 5
  /// The screen faces down.
  case faceDown = 6
}

/// The position of a camera; raw values are those of `AVCaptureDevice.Position`.
public enum CameraPosition: Int, Sendable, CaseIterable {
  case back = 1
  /// On the side of the screen.
  case front = 2
}

/// The orientation of camera frames for a device orientation and a camera.
public func imageOrientation(
  deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition
) -> ImageOrientation {
  switch deviceOrientation {
  case .portrait: cameraPosition == .front ? .leftMirrored : .right
  case .landscapeLeft: cameraPosition == .front ? .downMirrored : .up
  case .portraitUpsideDown: cameraPosition == .front ? .rightMirrored : .left
  case .landscapeRight: cameraPosition == .front ? .upMirrored : .down
  case .faceUp, .faceDown, .unknown: .up
  }
}
