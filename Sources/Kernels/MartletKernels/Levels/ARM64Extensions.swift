//===--- ARM64Extensions.swift - arm64 features ---------------------------===//
//
// Asks the operating system for the processor's extensions, because Swift cannot express the
// instruction that would ask the processor. Linux passes them to each program, and the C libraries,
// which all Swift programs link, return them. Apple's systems have a name per extension. Both
// functions are declared here because core modules import only the standard library; for these
// arguments, Swift's calling convention is that of C.
//
// Contract  False if the system does not know the extension. Not compiled for bare-metal targets,
//           whose features are known at compile time.
// Source    Linux, Documentation/arch/arm64/elf_hwcaps.rst (AT_HWCAP is 16, AT_HWCAP2 26); Apple,
//           "Determining instruction set characteristics".
//===----------------------------------------------------------------------===//

#if MARTLET_LEVELS && arch(arm64)
  /// The extensions of an arm64 processor.
  enum ARM64Extensions {
    /// DotProd: multiplies four bytes by four others and adds the products to a sum.
    static var hasDotProducts: Bool {
      #if os(macOS) || os(iOS)
        has("hw.optional.arm.FEAT_DotProd")
      #else
        getauxval(16) >> 20 & 1 == 1
      #endif
    }

    /// I8MM: multiplies two rows of eight bytes by two columns and adds the results to four lanes.
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
