//===--- FullyConnected.swift - extents of the layer ----------------------===//
//
// Contract  TFLite FULLY_CONNECTED: weights are one row for each output.
//===----------------------------------------------------------------------===//

/// The extents of a fully connected layer.
@usableFromInline
package struct FullyConnected: Sendable {
  @usableFromInline
  package let rows: Int
  @usableFromInline
  package let depth: Int
  @usableFromInline
  package let units: Int

  package init(rows: Int, depth: Int, units: Int) {
    self.rows = rows
    self.depth = depth
    self.units = units
  }
}
