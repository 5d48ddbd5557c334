//===--- PNGDamage.swift - damage that is recovered -----------------------===//
//
// Contract  A strict decoder throws the first damage. Otherwise the first error of each case of
//           `PNGError` is collected, so the number of warnings does not grow with the file.
// Checked   Tests/MartletCodecsTests/PNGDamageTests.swift
//===----------------------------------------------------------------------===//

/// The damage found so far in a PNG file.
struct PNGDamage {
  /// Whether any damage is an error.
  let isStrict: Bool
  /// The first error of each case, in the order of detection.
  private(set) var warnings: [DecodingWarning] = []
  private var kinds: [Int] = []

  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Adds `error` to the warnings unless one of its case is present; throws it if decoding is
  /// strict.
  mutating func report(_ error: PNGError) throws(PNGError) {
    guard !isStrict else { throw error }
    guard !kinds.contains(error.kind) else { return }
    kinds.append(error.kind)
    warnings.append(.png(error))
  }
}

extension PNGError {
  /// A unique number for each case.
  fileprivate var kind: Int {
    switch self {
    case .memory: 0
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
