//===--- DeviceOrientation.swift - from how a device is held to a frame's turn ===//
//
// A camera's frames lie as its sensor does, in landscape. The table gives their orientation for each
// way to hold the device; the front camera's frames are mirrored besides.
//
// Contract  Where gravity does not tell (`faceUp`, `faceDown`, `unknown`) frames count as upright:
//           `.up`. ML Kit's documents of its earlier generation say both `.leftTop` and `.topLeft`;
//           this is the latter, which is also the later generation's.
// Checked   Tests/MartletTests/DeviceOrientationTests.swift
//===----------------------------------------------------------------------===//

/// How a device is held; raw values are those of `UIDeviceOrientation`.
public enum DeviceOrientation: Int, Sendable, CaseIterable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  /// Turned anticlockwise: the upper edge is on the left.
  case landscapeLeft = 3
  /// Turned clockwise: the upper edge is on the right.
  case landscapeRight = 4
  /// Lying with the screen upwards.
  case faceUp = 5
  /// Lying with the screen downwards.
  case faceDown = 6
}

/// Where a camera looks; raw values are those of `AVCaptureDevice.Position`.
public enum CameraPosition: Int, Sendable, CaseIterable {
  case back = 1
  /// To the side of the screen.
  case front = 2
}

/// The orientation of a camera's frames, for a device held like this.
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
