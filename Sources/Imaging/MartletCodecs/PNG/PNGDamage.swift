//===--- PNGDamage.swift - damage that is recovered -----------------------===//
//
// Checked   Tests/MartletCodecsTests/PNGDamageTests.swift
//===----------------------------------------------------------------------===//

/// The damage found so far in a PNG file.
typealias PNGDamage = Damage<PNGError>

extension PNGError: RecoverableError {
  var warning: DecodingWarning { .png(self) }

  var kind: Int {
    switch self {
    case .memory: 0
    case .stopped: 15
    case .badSignature: 1
    case .truncated: 2
    case .checksumMismatch: 3
    case .misplacedChunk: 4
    case .unknownCriticalChunk: 5
    case .badChunkLength: 6
    case .badSize: 7
    case .badFormat: 8
    case .unknownMethod: 9
    case .missingPalette: 10
    case .missingImageData: 11
    case .imageData: 12
    case .badFilter: 13
    case .appleVariant: 14
    }
  }
}
