//===--- DetectionParameters.swift - which boxes are objects --------------===//
//
// Numbers that belong to the shipped localizer: `Weights/localiser.md` tells how the least score was
// chosen, `Weights/Training/README.md` the others.
//===----------------------------------------------------------------------===//

/// Which boxes become objects, and in which order.
package struct DetectionParameters: Sendable, Hashable {
  /// Boxes under this score are dropped.
  package var leastScore: Float = 0.03
  /// How many boxes, best first, non-maximum suppression looks at.
  package var candidates = 200
  /// Of two boxes whose intersection over union is at least this, the better one is kept.
  package var overlap: Float = 0.55
  /// How many boxes survive suppression at most, unless more objects are requested.
  package var survivors = 20
  /// How much nearness to the center counts for prominence where the detector does not tell it: its
  /// power.
  package var centerExponent: Float = 0.5

  package init() {}
}
