//===--- Microkernels+Available.swift - selection of kernels --------------===//
//
// The compiled instruction sets, and the choice among them, which is made once.
//===----------------------------------------------------------------------===//

import MartletKernelsBase
import MartletMicrokernels

#if MARTLET_LEVELS && arch(x86_64)
  import MartletKernelsAVXVNNI
  import MartletKernelsV3
  import MartletKernelsV4
  import MartletKernelsVNNI
#elseif MARTLET_LEVELS && arch(arm64)
  import MartletKernelsDotProd
  import MartletKernelsI8MM
  import MartletKernelsNEON
#endif

extension Microkernels {
  /// The compiled instruction sets that this processor supports, the most basic first.
  package static let available: [Microkernels] = {
    let plain = Microkernels(MartletKernelsBase.Level.self)
    #if MARTLET_LEVELS && arch(x86_64)
      let current = ProcessorLevel.current
      guard current >= .v3 else { return [plain] }
      var available = [plain, Microkernels(MartletKernelsV3.Level.self)]
      if ProcessorLevel.hasAVXVNNI {
        let bytes = ByteMicrokernels(MartletKernelsAVXVNNI.Level.self)
        available.append(Microkernels(MartletKernelsV3.Level.self, bytes: bytes))
      }
      guard current >= .v4 else { return available }
      available.append(Microkernels(MartletKernelsV4.Level.self))
      guard current >= .vnni else { return available }
      let bytes = ByteMicrokernels(MartletKernelsVNNI.Level.self)
      return available + [Microkernels(MartletKernelsV4.Level.self, bytes: bytes)]
    #elseif MARTLET_LEVELS && arch(arm64)
      let neon = byteLevel(MartletKernelsNEON.Level.self)
      guard ARM64Extensions.hasDotProducts else { return [plain, neon] }
      let dotProducts = byteLevel(MartletKernelsDotProd.Level.self)
      guard ARM64Extensions.hasMatrixProducts else { return [plain, neon, dotProducts] }
      return [plain, neon, dotProducts, byteLevel(MartletKernelsI8MM.Level.self)]
    #else
      return [plain]
    #endif
  }()

  #if MARTLET_LEVELS && arch(arm64)
    private static func byteLevel<Level: ByteInstructionSet>(_ level: Level.Type) -> Microkernels {
      Microkernels(MartletKernelsBase.Level.self, bytes: ByteMicrokernels(level))
    }
  #endif

  /// The best microkernels for this processor.
  package static let current = available[available.count - 1]
}
