//===--- Damage.swift - damage that is recovered --------------------------===//
//
// Contract  A strict decoder throws the first damage. Otherwise the first error of each case is
//           collected, so the number of warnings does not grow with the file.
//===----------------------------------------------------------------------===//

/// An error of a decoder that may recover from it.
protocol RecoverableError: Error {
  /// A unique number for each case that is reported.
  var kind: Int { get }
  /// The warning if the decoder recovers.
  var warning: DecodingWarning { get }
}

/// The damage found so far in a file.
struct Damage<Failure: RecoverableError> {
  /// Whether any damage is an error.
  let isStrict: Bool
  /// The first error of each case, in the order of detection.
  private(set) var errors: [Failure] = []

  init(isStrict: Bool) { self.isStrict = isStrict }

  /// The errors as warnings.
  var warnings: [DecodingWarning] { errors.map { $0.warning } }

  /// Adds `error` unless one of its case is present; throws it if decoding is strict.
  mutating func report(_ error: Failure) throws(Failure) {
    guard !isStrict else { throw error }
    if !errors.contains(where: { $0.kind == error.kind }) { errors.append(error) }
  }
}
