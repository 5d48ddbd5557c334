//===--- VNNILevel.swift - x86-64 byte kernels ----------------------------===//
//
// VNNI extends x86-64-v4 and uses its vectors. Its instruction multiplies four unsigned bytes by
// four signed ones and adds all products to a 32-bit sum. The module has only the kernels that need
// it.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// The microkernels of VNNI.
package enum Level: ByteInstructionSet {
  package static var name: StaticString { "VNNI" }
  package static var int8TileName: StaticString { "6x64" }
  package static var int8TileRows: Int { 12 }
  package static var int8PanelVectors: Int { 4 }
  package static var int8GroupQuads: Int { 1 }
  package static var byteOffset: Int32 { 0 }
  package static var leastWeight: Int16 { -128 }
  package static var largestFactorExponent: Int32 { -1 }
  package static var sharesDepthwiseColumns: Bool { false }
}
