//===--- Level.swift - the instruction set that multiplies bytes ----------===//
//
// DotProd, an extension of arm64: an instruction that multiplies four signed bytes by four others and adds
// all to a 32-bit sum. A module with the kernels that need it and no other, and empty on other processors,
// since a package for Apple's systems may be compiled for several at once.
//
// Contract  Kernels are `@export(interface)`: in Embedded Swift a module compiles what it imports anew, and
//           those that call these are compiled without the instruction.
// Checked   Tests/MartletKernelsTests, where the processor has it; .ci/check-arm64
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels

  /// The microkernels of DotProd.
  package enum Level: ByteInstructionSet {
    package static var name: StaticString { "DotProd" }
    package static var int8TileName: StaticString { "6x16" }
    package static var int8TileRows: Int { 6 }
    package static var int8PanelVectors: Int { 1 }
    package static var byteOffset: Int32 { 128 }
  }
#endif
