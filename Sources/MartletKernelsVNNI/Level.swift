//===--- Level.swift - the instruction set that multiplies bytes ----------===//
//
// VNNI, beside x86-64-v4, whose vectors it uses: an instruction that multiplies four unsigned bytes by
// four signed ones and adds all to a 32-bit sum. A module with the kernels that need it and no other.
//
// Checked   Tests/MartletKernelsTests, where the processor has it
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
}
