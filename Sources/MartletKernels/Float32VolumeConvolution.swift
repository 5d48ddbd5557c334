//===--- Float32VolumeConvolution.swift - volumes as a product, floats ----===//
//
// As `Float32Convolution` with one axis more. Filters are packed at each call, for they lie as panels
// do, and may be computed by the graph.
//
// Contract  As `Reference.convolve` of a `VolumeConvolution`. Inputs are finite.
// Order     See `float32Multiply`: taps in the order of memory, channels innermost, from the bias.
// Cost      outputs · taps · channels, and one pass over the filters; no allocation.
// Checked   Tests/MartletKernelsTests/Float32VolumeConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

/// A convolution of float volumes.
package struct Float32VolumeConvolution: Sendable {
  private let convolution: VolumeConvolution
  private let range: ClosedRange<Float>
  private let depth: Int
  private let panels: [Panel]
  private let packedCount: Int
  private let schedule: Schedule
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
      columns: convolution.outputDepth, widths: kernels.widths, height: depth + 1)
    packedCount = panels.reduce(0) { $0 + $1.width * (depth + 1) }
    schedule = Schedule(
      rows: window.outputCount, panels: panels.count,
      multiplications: Schedule.product([window.outputCount, convolution.outputDepth, depth]),
      rowBytes: depth * 4, tileRows: kernels.tileRows, workers: workers)
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
    let columns = convolution.outputDepth
    workers.perform(schedule.chunks) { chunk in
      schedule.withBlock(of: chunk, in: packed + packedCount) { memory in
        let block = memory.assumingMemoryBound(to: Float.self)
        schedule.forEachBlock(of: chunk) { rows in
          lay(rows, of: x, into: block)
          for panel in panels[schedule.panels(of: chunk)] {
            kernels.float32Multiply(
              block, depth, rows.count, 1, depth, 0, packed + panel.offset,
              packed + (panel.offset + panel.width), 0, panel.width,
              y + (rows.lowerBound * columns + panel.first), columns, panel.columns,
              range.lowerBound, range.upperBound)
          }
        }
      }
    }
  }

  /// Lays out the rows of the matrix for some output voxels.
  private func lay(
    _ rows: Range<Int>, of x: UnsafeMutablePointer<Float>, into block: UnsafeMutablePointer<Float>
  ) {
    let channels = convolution.inputDepth
    for row in rows {
      let dest = block + (row &- rows.lowerBound) &* depth
      var next = 0
      convolution.window.forEachTap(ofOutput: row) { voxel, tap in
        let place = tap &* channels
        for i in next..<place { dest[i] = 0 }
        for i in 0..<channels { dest[place &+ i] = x[voxel &* channels &+ i] }
        next = place &+ channels
      }
      for i in next..<depth { dest[i] = 0 }
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
