//===--- Level.swift - the instruction sets that multiply bytes -----------===//
//
// DotProd, an extension of arm64: an instruction that multiplies four signed bytes by four others and adds
// all to a 32-bit sum. I8MM, a later one: an instruction for two rows of eight bytes and two columns. One
// module each, with the kernels that need them and no other, and empty on other processors, since a package
// for Apple's systems may be compiled for several at once.
//
// Contract  Kernels are `@export(interface)`: in Embedded Swift a module compiles what it imports anew, and
//           those that call these are compiled without the instructions.
// Checked   Tests/MartletKernelsTests, where the processor has it; .ci/check-arm64
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels

  /// The microkernels of DotProd, or of I8MM.
  package enum Level: ByteInstructionSet {
    package static var name: StaticString {
      #if MARTLET_I8MM
        "I8MM"
      #else
        "DotProd"
      #endif
    }
    package static var int8TileName: StaticString { "6x16" }
    package static var int8TileRows: Int { 6 }
    package static var int8PanelVectors: Int { 1 }
    package static var int8GroupQuads: Int {
      #if MARTLET_I8MM
        2
      #else
        1
      #endif
    }
    package static var byteOffset: Int32 { 128 }
  }
#endif
