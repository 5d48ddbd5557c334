//===--- ProcessorLevel.swift - x86-64 variants ---------------------------===//
//
// The levels of the x86-64 ABI: v3 has 256-bit vectors and fused multiply-add, v4 has 512-bit
// vectors. VNNI is an extension of v4 that multiplies bytes, and AVX-VNNI one of v3.
//
// Contract  A level counts only if the operating system saves its registers. This is derived from
//           the size of the save area (CPUID leaf 13, EBX), which must reach the end of the last
//           register file. The instruction that reads the mask directly is a macro, which Swift
//           does not import.
// Source    Intel SDM volume 1, chapter 13; System V ABI for x86-64, section 3.1.1.
//===----------------------------------------------------------------------===//

#if MARTLET_LEVELS && arch(x86_64)
  import _Builtin_intrinsics.intel.cpuid

  /// A level of the x86-64 instruction set.
  enum ProcessorLevel: Int, Comparable, Sendable {
    case v1, v3, v4, vnni

    static func < (one: ProcessorLevel, other: ProcessorLevel) -> Bool {
      one.rawValue < other.rawValue
    }

    /// The highest level of this processor that the operating system supports.
    static let current: ProcessorLevel = {
      let one = Registers(leaf: 1)
      let seven = Registers(leaf: 7)
      let extended = Registers(leaf: 0x8000_0001)
      // FMA, MOVBE, OSXSAVE, AVX, F16C and the v2 level; BMI1, AVX2, BMI2; LZCNT.
      guard one.has(ecx: [0, 9, 12, 13, 19, 20, 22, 23, 27, 28, 29]),
        seven.has(ebx: [3, 5, 8]), extended.has(ecx: [0, 5]), savesComponent(2)
      else { return .v1 }
      // AVX-512 F, DQ, CD, BW, VL.
      guard seven.has(ebx: [16, 17, 28, 30, 31]), savesComponent(7) else { return .v3 }
      return seven.has(ecx: [11]) ? .vnni : .v4
    }()

    /// Whether v3 is extended by AVX-VNNI.
    static let hasAVXVNNI = current >= .v3 && Registers(leaf: 7, subleaf: 1).has(eax: [4])

    /// Whether the save area reaches the end of a register file: 2 is the upper halves of the
    /// 256-bit registers, 7 the upper sixteen 512-bit registers.
    private static func savesComponent(_ component: UInt32) -> Bool {
      let file = Registers(leaf: 13, subleaf: component)
      return file.eax > 0 && Registers(leaf: 13).ebx >= file.ebx + file.eax
    }
  }

  /// The registers that CPUID returns; zeros for an unknown leaf.
  private struct Registers {
    var eax: UInt32 = 0
    var ebx: UInt32 = 0
    var ecx: UInt32 = 0
    var edx: UInt32 = 0

    init(leaf: UInt32, subleaf: UInt32 = 0) {
      _ = __get_cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx)
    }

    func has(eax bits: [UInt32]) -> Bool { bits.allSatisfy { eax >> $0 & 1 == 1 } }
    func has(ebx bits: [UInt32]) -> Bool { bits.allSatisfy { ebx >> $0 & 1 == 1 } }
    func has(ecx bits: [UInt32]) -> Bool { bits.allSatisfy { ecx >> $0 & 1 == 1 } }
  }
#endif
