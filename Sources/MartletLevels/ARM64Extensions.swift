//===--- ARM64Extensions.swift - what an arm64 processor can do -----------===//
//
// The system says it: where a program could ask the processor, an instruction is needed that Swift has no
// way to write. Linux passes what it supports to each program, and its C libraries, which all programs of
// Swift link, give it to whoever asks; Apple's systems have a name for each extension. Both functions are
// declared here, because core modules import the standard library alone; Swift's calling convention is C's
// for what they take.
//
// Contract  False where the system does not know of the extension. Not compiled for machines without a
//           system: what they run, whoever compiles for them knows.
// Source    Linux, Documentation/arch/arm64/elf_hwcaps.rst (AT_HWCAP is 16, AT_HWCAP2 26); Apple, "Determining instruction set
//           characteristics".
// Checked   Tests/MartletKernelsTests/MicrokernelsTests.swift, .ci/check-arm64
//===----------------------------------------------------------------------===//

#if MARTLET_LEVELS && arch(arm64)
  /// Extensions of arm64.
  enum ARM64Extensions {
    /// DotProd: products of four bytes and four others, added to a sum.
    static var hasDotProducts: Bool {
      #if os(macOS) || os(iOS)
        has("hw.optional.arm.FEAT_DotProd")
      #else
        getauxval(16) >> 20 & 1 == 1
      #endif
    }

    /// I8MM: products of two rows of eight bytes and two columns, added to four lanes.
    static var hasMatrixProducts: Bool {
      #if os(macOS) || os(iOS)
        has("hw.optional.arm.FEAT_I8MM")
      #else
        getauxval(26) >> 13 & 1 == 1
      #endif
    }

    #if os(macOS) || os(iOS)
      private static func has(_ name: StaticString) -> Bool {
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        return sysctlbyname(name, &value, &size, nil, 0) == 0 && value == 1
      }
    #endif
  }

  #if os(macOS) || os(iOS)
    @_silgen_name("sysctlbyname")
    private func sysctlbyname(
      _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?,
      _ size: UnsafeMutablePointer<Int>?, _ newValue: UnsafeRawPointer?, _ newSize: Int
    ) -> Int32
  #else
    @_silgen_name("getauxval")
    private func getauxval(_ type: UInt) -> UInt
  #endif
#endif
