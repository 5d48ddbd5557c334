//===--- QuartzCore.swift - what the example app uses of Core Animation ---===//
//
// Source    https://developer.apple.com/documentation/quartzcore/calayer. Declarations only, for the
//           compiler.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import CoreGraphics
@_exported import Foundation

open class CALayer: NSObject {}
