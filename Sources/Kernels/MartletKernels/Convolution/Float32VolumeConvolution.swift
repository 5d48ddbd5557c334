//===--- Float32VolumeConvolution.swift - 3D float convolution ------------===//
//
// As `Float32Convolution` with one more axis. Filters are packed at each call: their memory order
// is already that of panels, and the graph may compute them.
//
// Contract  As `Reference.convolve` of a `VolumeConvolution`. Inputs are finite.
// Order     See `float32GEMM`: taps in memory order, channels innermost, starting from the bias.
// Cost      outputs · taps · channels, and one pass over the filters; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A convolution of float volumes.
package struct Float32VolumeConvolution: PackedConvolution {
  typealias Operands = (
    x: UnsafePointer<Float>, weights: UnsafePointer<Float>, y: UnsafeMutablePointer<Float>
  )

  private let convolution: VolumeConvolution
  private let range: ClosedRange<Float>
  private let depth: Int
  let panels: [Panel]
  private let packedCount: Int
  let schedule: Schedule
  private let kernels: Microkernels

  package init(
    _ convolution: VolumeConvolution, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    let window = convolution.window
    let depth = window.tapCount * convolution.inputDepth
    self.kernels = kernels
    self.convolution = convolution
    self.range = range
    self.depth = depth
    panels = Panel.cut(
      columns: convolution.outputDepth, widths: kernels.panelWidths, height: depth + 1)
    packedCount = panels.reduce(0) { $0 + $1.width * (depth + 1) }
    schedule = Schedule(
      rows: window.outputCount, panels: panels.count,
      multiplications: Schedule.product([window.outputCount, convolution.outputDepth, depth]),
      rowBytes: depth * 4, tileRows: kernels.float32TileRows, workers: workers)
  }

  /// The number of elements of scratch memory that a call needs.
  package var scratchCount: Int {
    packedCount + schedule.scratchBytes / 4
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, filter: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, scratch: UnsafeMutableBufferPointer<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let x = input.baseAddress, let packed = scratch.baseAddress, let y = output.baseAddress
    else { return }
    pack(filter, bias, into: packed)
    run(
      (UnsafePointer(x), UnsafePointer(packed), y),
      scratch: UnsafeMutableRawPointer(packed + packedCount), workers: workers)
  }

  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of operands: Operands, block: UnsafeMutableRawPointer
  ) {
    let columns = convolution.outputDepth
    let x = x.assumingMemoryBound(to: Float.self)
    for panel in panels {
      kernels.float32GEMM(
        Float32GEMM(
          x: Matrix(x, rowStride: depth), rows: rows.count, runs: .one(depth),
          weights: panel.weights(at: operands.weights + panel.offset),
          y: MutableMatrix(
            operands.y + (rows.lowerBound * columns + panel.first), rowStride: columns),
          columns: panel.columns, range: range))
    }
  }

  /// Packs the rows of some output voxels, line by line.
  func pack(
    _ voxels: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let rows = block.assumingMemoryBound(to: Float.self)
    let width = convolution.window.columns.output
    var first = voxels.lowerBound
    while first < voxels.upperBound {
      let line = first / width
      let end = min((line &+ 1) &* width, voxels.upperBound)
      packLine(
        line, first &- line &* width..<end &- line &* width, of: operands.x,
        into: rows + (first &- voxels.lowerBound) &* depth)
      first = end
    }
    return UnsafeRawPointer(block)
  }

  /// Packs the rows of some voxels of one line, one line of taps at a time.
  private func packLine(
    _ line: Int, _ voxels: Range<Int>, of x: UnsafePointer<Float>,
    into block: UnsafeMutablePointer<Float>
  ) {
    let (planes, rows) = (convolution.window.planes, convolution.window.rows)
    let columns = convolution.window.columns
    let plane = line / rows.output
    let volume = plane / planes.output
    let front = planes.origin(of: plane &- volume &* planes.output)
    let top = rows.origin(of: line &- plane &* rows.output)
    let count = columns.filter &* convolution.inputDepth
    for tapPlane in 0..<planes.filter {
      let z = front &+ tapPlane &* planes.dilation
      for tapRow in 0..<rows.filter {
        let y = top &+ tapRow &* rows.dilation
        let dest = block + (tapPlane &* rows.filter &+ tapRow) &* count
        if z >= 0 && z < planes.input && y >= 0 && y < rows.input {
          let start = ((volume &* planes.input &+ z) &* rows.input &+ y) &* columns.input
          packTaps(voxels, of: x + start &* convolution.inputDepth, into: dest)
        } else {
          for voxel in 0..<voxels.count {
            (dest + voxel &* depth).update(repeating: 0, count: count)
          }
        }
      }
    }
  }

  /// Packs the taps of voxels that lie on one line of the volume.
  private func packTaps(
    _ voxels: Range<Int>, of line: UnsafePointer<Float>,
    into block: UnsafeMutablePointer<Float>
  ) {
    let columns = convolution.window.columns
    let channels = convolution.inputDepth
    let inside = columns.interior.clamped(to: voxels)
    let count = columns.filter &* channels
    var dest = block
    for voxel in voxels {
      let left = columns.origin(of: voxel)
      if columns.dilation == 1, inside.contains(voxel) {
        copy(line + left &* channels, count, to: dest)
      } else {
        for tap in 0..<columns.filter {
          let column = left &+ tap &* columns.dilation
          let isSeen = column >= 0 && column < columns.input
          for i in 0..<channels {
            dest[tap &* channels &+ i] = isSeen ? line[column &* channels &+ i] : 0
          }
        }
      }
      dest += depth
    }
  }

  private func pack(
    _ filter: UnsafeMutableBufferPointer<Float>, _ bias: UnsafeMutableBufferPointer<Float>,
    into packed: UnsafeMutablePointer<Float>
  ) {
    let columns = convolution.outputDepth
    for panel in panels {
      let dest = packed + panel.offset
      dest.update(repeating: 0, count: panel.width * (depth + 1))
      for j in 0..<panel.columns where !bias.isEmpty { dest[j] = bias[panel.first + j] }
      for k in 0..<depth {
        for j in 0..<panel.columns {
          dest[(k + 1) * panel.width + j] = filter[k * columns + panel.first + j]
        }
      }
    }
  }
}
