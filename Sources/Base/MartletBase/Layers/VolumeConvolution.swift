//===--- VolumeConvolution.swift - extents of the layer -------------------===//
//
// Contract  TFLite CONV_3D. Images are NDHWC, filters DHWIO: the output channel is the innermost.
//===----------------------------------------------------------------------===//

/// A window that slides over the voxels of a batch of volumes.
@usableFromInline
package struct VolumeWindow: Sendable {
  @usableFromInline
  package let batches: Int
  @usableFromInline
  package let planes: WindowAxis
  @usableFromInline
  package let rows: WindowAxis
  @usableFromInline
  package let columns: WindowAxis

  package init(batches: Int, planes: WindowAxis, rows: WindowAxis, columns: WindowAxis) {
    self.batches = batches
    self.planes = planes
    self.rows = rows
    self.columns = columns
  }

  /// The number of output voxels of all volumes.
  @export(implementation)
  package var outputCount: Int { batches &* planes.output &* rows.output &* columns.output }
  /// The number of taps of the filter.
  @export(implementation)
  package var tapCount: Int { planes.filter &* rows.filter &* columns.filter }

  /// Calls `body` for each tap of output voxel `index` that lies within the volume, in the filter's
  /// memory order, with the indices of the input voxel and of the tap.
  @export(implementation) @inline(__always)
  package func forEachTap(ofOutput index: Int, _ body: (_ voxel: Int, _ tap: Int) -> Void) {
    let line = index / columns.output
    let plane = line / rows.output
    let left = columns.origin(of: index % columns.output)
    let top = rows.origin(of: line % rows.output)
    let front = planes.origin(of: plane % planes.output)
    let volume = plane / planes.output
    for tapPlane in planes.taps(from: front) {
      let z = volume &* planes.input &+ front &+ tapPlane &* planes.dilation
      for tapRow in rows.taps(from: top) {
        let y = z &* rows.input &+ top &+ tapRow &* rows.dilation
        let tap = (tapPlane &* rows.filter &+ tapRow) &* columns.filter
        for tapColumn in columns.taps(from: left) {
          body(
            y &* columns.input &+ left &+ tapColumn &* columns.dilation, tap &+ tapColumn)
        }
      }
    }
  }
}

/// The extents of a convolution of volumes.
@usableFromInline
package struct VolumeConvolution: Sendable {
  @usableFromInline
  package let window: VolumeWindow
  @usableFromInline
  package let inputDepth: Int
  @usableFromInline
  package let outputDepth: Int

  package init(window: VolumeWindow, inputDepth: Int, outputDepth: Int) {
    self.window = window
    self.inputDepth = inputDepth
    self.outputDepth = outputDepth
  }
}
