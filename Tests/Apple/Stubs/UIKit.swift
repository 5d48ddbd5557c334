//===--- UIKit.swift - what Martlet and the example app use of UIKit ------===//
//
// Source    https://developer.apple.com/documentation/uikit/uiimage,
//           https://developer.apple.com/documentation/uikit/uideviceorientation,
//           https://developer.apple.com/documentation/uikit/uidevice,
//           https://developer.apple.com/documentation/uikit/uiview. Declarations only, for the
//           compiler.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import CoreGraphics
@_exported import Foundation
@_exported import QuartzCore

open class UIImage: NSObject, @unchecked Sendable {
  public enum Orientation: Int, Sendable {
    case up = 0
    case down = 1
    case left = 2
    case right = 3
    case upMirrored = 4
    case downMirrored = 5
    case leftMirrored = 6
    case rightMirrored = 7
  }

  open var cgImage: CGImage? { fatalError() }
  open var imageOrientation: UIImage.Orientation { fatalError() }
}

public enum UIDeviceOrientation: Int, Sendable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  case landscapeLeft = 3
  case landscapeRight = 4
  case faceUp = 5
  case faceDown = 6
}

@MainActor open class UIDevice: NSObject {
  open class var current: UIDevice { fatalError() }
  open var orientation: UIDeviceOrientation { fatalError() }
}

@MainActor open class UIView: NSObject {
  public init(frame: CGRect) { fatalError() }
  open class var layerClass: AnyClass { fatalError() }
  open var layer: CALayer { fatalError() }
}
