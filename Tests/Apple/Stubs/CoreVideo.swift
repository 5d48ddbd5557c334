//===--- CoreVideo.swift - what Martlet uses of Core Video ----------------===//
//
// Source    https://developer.apple.com/documentation/corevideo: the functions that start with
//           `CVPixelBuffer`, and cvpixelbufferlockflags. Declarations only, for the compiler.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public typealias OSType = UInt32
public typealias CVReturn = Int32

public final class CVBuffer {}
public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVImageBuffer

public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static var readOnly: CVPixelBufferLockFlags { fatalError() }
}

public var kCVReturnSuccess: CVReturn { fatalError() }
public var kCVPixelFormatType_24RGB: OSType { fatalError() }
public var kCVPixelFormatType_24BGR: OSType { fatalError() }
public var kCVPixelFormatType_32ARGB: OSType { fatalError() }
public var kCVPixelFormatType_32BGRA: OSType { fatalError() }
public var kCVPixelFormatType_32RGBA: OSType { fatalError() }
public var kCVPixelFormatType_OneComponent8: OSType { fatalError() }
public var kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType { fatalError() }
public var kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType { fatalError() }

public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { fatalError() }
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { fatalError() }
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { fatalError() }
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int { fatalError() }
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { fatalError() }
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int { fatalError() }
public func CVPixelBufferGetBaseAddress(
  _ pixelBuffer: CVPixelBuffer
) -> UnsafeMutableRawPointer? { fatalError() }
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? { fatalError() }
public func CVPixelBufferGetBytesPerRowOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int { fatalError() }
public func CVPixelBufferGetHeightOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int { fatalError() }

@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn { fatalError() }

@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { fatalError() }
