//===--- TransposeVolumeConvolution.swift - transposed volume convolution -===//
//
// The filter is placed at each input voxel, weighted by it, and overlapping products are summed.
//
// Contract  TFLite CONV_3D_TRANSPOSE. Images are NDHWC, filters DHWOI. `WeightedSums.swift`
//           converts the sums. Order     A sum runs over input voxels in memory order, channels
//           innermost, as in LiteRT.
// Cost      outputs · taps · channels; the stride skips most of them.
//===----------------------------------------------------------------------===//

import MartletBase

/// The extents of a transposed convolution of volumes.
@usableFromInline
package struct TransposeVolumeConvolution: WeightedSums {
  /// The window from the output, as its image, to the input.
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

  /// Calls `body` for each input index along an axis that contributes to output index `index`, with
  /// its tap, in ascending order of inputs.
  @export(implementation) @inline(__always)
  func forEachSource(
    along axis: WindowAxis, of index: Int, _ body: (_ place: Int, _ tap: Int) -> Void
  ) {
    for tap in stride(from: axis.filter &- 1, through: 0, by: -1) {
      let place = index &+ axis.border &- tap &* axis.dilation
      guard place >= 0, place % axis.stride == 0, place / axis.stride < axis.output else {
        continue
      }
      body(place / axis.stride, tap)
    }
  }

  @export(implementation)
  package var rowCount: Int {
    window.batches &* window.planes.input &* window.rows.input &* window.columns.input
  }

  @export(implementation)
  package var rowWork: Int {
    window.tapCount &* inputDepth &* outputDepth
  }

  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    in voxels: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    let (planes, rows, columns) = (window.planes, window.rows, window.columns)
    for output in voxels {
      let line = output / columns.input
      let plane = line / rows.input
      let volume = plane / planes.input
      for channel in 0..<outputDepth {
        var sum: Sum = 0
        forEachSource(along: planes, of: plane % planes.input) { z, tapPlane in
          forEachSource(along: rows, of: line % rows.input) { y, tapRow in
            forEachSource(along: columns, of: output % columns.input) { x, tapColumn in
              let voxel =
                ((volume &* planes.output &+ z) &* rows.output &+ y)
                &* columns.output &+ x
              let tap = (tapPlane &* rows.filter &+ tapRow) &* columns.filter &+ tapColumn
              for i in 0..<inputDepth {
                accumulate(
                  &sum, voxel &* inputDepth &+ i,
                  (tap &* outputDepth &+ channel) &* inputDepth &+ i)
              }
            }
          }
        }
        finish(sum, output &* outputDepth &+ channel, channel)
      }
    }
  }
}
