//===--- VNNILevel.swift - x86-64 byte kernels ----------------------------===//
//
// VNNI extends x86-64-v4 and AVX-VNNI x86-64-v3; they use the vectors of those. Their instruction
// multiplies four unsigned bytes by four signed ones and adds all products to a 32-bit sum. Each has
// its own module, with only the kernels that need it.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// The microkernels of VNNI or of AVX-VNNI.
package enum Level: ByteInstructionSet {
  #if MARTLET_V4
    package static var name: StaticString { "VNNI" }
    package static var int8TileName: StaticString { "6x64" }
    package static var int8TileRows: Int { 12 }
    package static var int8PanelVectors: Int { 4 }
  #else
    package static var name: StaticString { "AVX-VNNI" }
    package static var int8TileName: StaticString { "3x32" }
    package static var int8TileRows: Int { 6 }
    package static var int8PanelVectors: Int { 2 }
  #endif
  package static var int8GroupQuads: Int { 1 }
  package static var byteOffset: Int32 { 0 }
  package static var leastWeight: Int16 { -128 }
  package static var sharesDepthwiseColumns: Bool { false }
}
