//===--- DotProdLevel.swift - arm64 byte kernels --------------------------===//
//
// DotProd, an extension of arm64, has an instruction that multiplies four signed bytes by four
// others and adds all products to a 32-bit sum. I8MM, a later extension, has one for two rows of
// eight bytes and two columns. Without them, products of bytes are added in 16 bits first. Each has
// its own module, with only the kernels for bytes. The modules are empty on other processors, because a package for Apple's systems may be compiled for
// several at once.
//
// Contract  Kernels are `@export(interface)`, and not inlined into witnesses: in Embedded Swift a
//           module recompiles what it imports, and the callers of these kernels are compiled
//           without the instructions.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels

  /// The microkernels of DotProd, of I8MM, or of neither.
  package enum Level: ByteInstructionSet {
    package static var name: StaticString {
      #if MARTLET_NEON
        "NEON"
      #elseif MARTLET_I8MM
        "I8MM"
      #else
        "DotProd"
      #endif
    }
    #if MARTLET_NEON
      package static var int8TileName: StaticString { "2x16" }
      package static var int8TileRows: Int { 2 }
      package static var leastWeight: Int16 { -127 }
    #else
      package static var int8TileName: StaticString { "6x16" }
      package static var int8TileRows: Int { 6 }
      package static var leastWeight: Int16 { -128 }
    #endif
    package static var int8PanelVectors: Int { 1 }
    package static var int8GroupQuads: Int {
      #if MARTLET_I8MM
        2
      #else
        1
      #endif
    }
    package static var byteOffset: Int32 { 128 }
    package static var sharesDepthwiseColumns: Bool { true }
  }
#endif
