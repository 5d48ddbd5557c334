//===--- CoreMedia.swift - what Martlet uses of Core Media ----------------===//
//
// Source    https://developer.apple.com/documentation/coremedia/cmsamplebuffergetimagebuffer(_:).
//           Declarations only, for the compiler.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import CoreVideo

public final class CMSampleBuffer {}

public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { fatalError() }
