//===--- KernelSet.swift - reference or fast kernels ----------------------===//

/// The kernels that a graph runs on. A build with `MARTLET_REFERENCE`, for microcontrollers,
/// contains only the reference kernels.
public enum KernelSet: Sendable, Hashable, CaseIterable {
  /// Plain loops. Integer results are bit-identical to LiteRT's reference kernels.
  case reference
  /// Fast kernels, or the reference kernels if there is no fast one. Integer results are
  /// bit-identical to `reference`.
  case fast
}
