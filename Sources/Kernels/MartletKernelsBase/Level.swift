//===--- Level.swift - compiled instruction set ---------------------------===//
//
// The tile sizes of the instruction set that a module is compiled for. Each microkernel has its own
// file.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// The microkernels of the instruction set that this module is compiled for.
package enum Level: InstructionSet {
  package static var lanes: Int { Lanes.scalarCount }

  // The rows of a full tile. Its accumulators (two per row), the weights and a spare fill the
  // registers; for integers the compiler can unroll fewer.
  #if MARTLET_V4
    package static var name: StaticString { "x86-64-v4" }
    package static var float32TileRows: Int { 12 }
    package static var int16TileRows: Int { 10 }
  #elseif MARTLET_V3
    package static var name: StaticString { "x86-64-v3" }
    package static var float32TileRows: Int { 6 }
    package static var int16TileRows: Int { 6 }
  #elseif arch(arm64)
    package static var name: StaticString { "arm64" }
    package static var float32TileRows: Int { 8 }
    package static var int16TileRows: Int { 8 }
  #elseif arch(x86_64)
    package static var name: StaticString { "x86-64" }
    package static var float32TileRows: Int { 5 }
    package static var int16TileRows: Int { 5 }
  #else
    // For WebAssembly, the compiler keeps the inputs of all rows next to the sums, and engines have
    // 15 registers.
    package static var name: StaticString { "portable" }
    package static var float32TileRows: Int { 5 }
    package static var int16TileRows: Int { 4 }
  #endif
}
