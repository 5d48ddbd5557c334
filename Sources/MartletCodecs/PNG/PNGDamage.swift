//===--- PNGDamage.swift - damage that decoding works around --------------===//
//
// Contract  A strict decoder throws the first damage. Any other collects one error of each case of
//           `PNGError`, the first, so their number does not depend on the file.
// Checked   Tests/MartletCodecsTests/PNGDamageTests.swift
//===----------------------------------------------------------------------===//

/// The damage found so far in a PNG file.
struct PNGDamage {
  /// Whether damage stops the decoder.
  let isStrict: Bool
  /// The first error of each case, in the order in which they were found.
  private(set) var warnings: [DecodingWarning] = []
  private var kinds: [Int] = []

  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Adds `error` to the warnings unless one of its case is there; throws it if decoding is strict.
  mutating func report(_ error: PNGError) throws(PNGError) {
    guard !isStrict else { throw error }
    guard !kinds.contains(error.kind) else { return }
    kinds.append(error.kind)
    warnings.append(.png(error))
  }
}

extension PNGError {
  /// A number for each case.
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
