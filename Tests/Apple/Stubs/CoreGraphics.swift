//===--- CoreGraphics.swift - what Martlet uses of Core Graphics ----------===//
//
// Source    https://developer.apple.com/documentation/coregraphics: `CGImage`, `CGColorSpace`,
//           `CGContext`, `CGImageAlphaInfo`. Declarations only, for the compiler.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import struct Foundation.CGFloat
@_exported import struct Foundation.CGPoint
@_exported import struct Foundation.CGRect
@_exported import struct Foundation.CGSize

public final class CFString {}

public final class CGImage {
  public var width: Int { fatalError() }
  public var height: Int { fatalError() }
}

public final class CGColorSpace {
  public class var sRGB: CFString { fatalError() }
  public init?(name: CFString) { fatalError() }
}

public enum CGImageAlphaInfo: UInt32 {
  case none = 0
  case premultipliedLast = 1
  case premultipliedFirst = 2
  case last = 3
  case first = 4
  case noneSkipLast = 5
  case noneSkipFirst = 6
  case alphaOnly = 7
}

public final class CGContext {
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) { fatalError() }
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) { fatalError() }
}
