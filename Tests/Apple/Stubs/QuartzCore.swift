//===--- QuartzCore.swift - what the example app uses of Core Animation ---===//
//
// Source    https://developer.apple.com/documentation/quartzcore/calayer,
//           https://developer.apple.com/documentation/quartzcore/cashapelayer. Declarations only,
//           for the compiler.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import CoreGraphics
@_exported import Foundation

open class CALayer: NSObject {
  open func addSublayer(_ layer: CALayer) { fatalError() }
}

open class CAShapeLayer: CALayer {
  open var path: CGPath?
  open var fillColor: CGColor?
  open var strokeColor: CGColor?
  open var lineWidth: CGFloat = 1
}
