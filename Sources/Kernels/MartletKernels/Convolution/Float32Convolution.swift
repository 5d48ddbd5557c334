//===--- Float32Convolution.swift - float convolution ---------------------===//
//
// The weights are packed once into panels. A call multiplies rows by all panels, a block of outputs
// at a time. Rows are read directly from the image: one pixel for a 1x1 convolution, otherwise one
// run per row of taps. Rows are packed first (im2col) only if the image is too narrow to fill
// tiles, or if taps are dilated. A fully connected layer is a 1x1 convolution of an image as wide
// as the batch.
//
// Contract  As `Reference.convolve`, for filters as deep as the image. Inputs are finite.
// Order     See `float32GEMM` and `float32GEMV`: taps row by row, channels innermost, starting from
//           the bias.
// Cost      outputs · taps · channels; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A convolution of float images with packed weights.
package struct Float32Convolution: PackedConvolution {
  typealias Operands = (x: UnsafePointer<Float>, y: UnsafeMutablePointer<Float>)

  /// The source of the rows.
  private enum Layout {
    /// Each row is one pixel of the image.
    case pixels
    /// Each row is a window of the image.
    case windows
    /// Rows are packed into scratch memory.
    case packed
  }

  private let convolution: Convolution
  private let range: ClosedRange<Float>
  private let depth: Int
  private let layout: Layout
  let panels: [Panel]
  /// Aligned: a vector that straddles two cache lines takes two loads.
  private let weights: Arena
  let schedule: Schedule
  private let kernels: Microkernels

  /// Packs the weights, OHWI; an empty bias is zero.
  ///
  /// - Precondition: the filters are as deep as the image.
  package init(
    _ convolution: Convolution, filter: UnsafeBufferPointer<Float>,
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    precondition(convolution.filterDepth == convolution.inputDepth)
    let window = convolution.window
    let depth = window.rows.filter * window.columns.filter * convolution.inputDepth
    self.kernels = kernels
    self.convolution = convolution
    self.range = range
    self.depth = depth
    panels = Panel.cut(
      columns: convolution.outputDepth, widths: kernels.panelWidths, height: depth + 1)
    weights = Float32Convolution.pack(panels, depth: depth, filter: filter, bias: bias)
    let readsWindows =
      !window.isPointwise && window.columns.dilation == 1
      && window.columns.interior.count >= kernels.float32TileRows
    layout = readsWindows ? .windows : window.isPointwise ? .pixels : .packed
    let width = panels.reduce(0) { $0 + $1.width }
    schedule = Schedule(
      rows: readsWindows ? window.lineCount : window.outputCount,
      columnsInPlace: window.isPointwise ? convolution.outputDepth : 0, panels: panels.count,
      // A row takes at least as long as the smallest tile.
      multiplications: Schedule.product([max(window.outputCount, 4), width, depth]),
      rowBytes: readsWindows ? 0 : depth * 4, needsMemory: layout == .packed,
      tileRows: readsWindows ? 1 : kernels.float32TileRows, workers: workers)
  }

  private static func pack(
    _ panels: [Panel], depth: Int, filter: UnsafeBufferPointer<Float>,
    bias: UnsafeBufferPointer<Float>
  ) -> Arena {
    let arena = Arena(byteCount: panels.reduce(0) { $0 + $1.width * (depth + 1) } * 4)
    let packed = arena.base.assumingMemoryBound(to: Float.self)
    for panel in panels {
      if !bias.isEmpty {
        for j in 0..<panel.columns { packed[panel.offset + j] = bias[panel.first + j] }
      }
      // Tiles of one cache line of each row.
      for first in stride(from: 0, to: depth, by: 16) {
        for j in 0..<panel.columns {
          for k in first..<min(first + 16, depth) {
            packed[panel.offset + (k + 1) * panel.width + j] =
              filter[(panel.first + j) * depth + k]
          }
        }
      }
    }
    return arena
  }

  /// The number of elements of scratch memory that a call needs.
  package var scratchCount: Int { schedule.scratchBytes / 4 }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, scratch: UnsafeMutableBufferPointer<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    run(
      (UnsafePointer(x), y), scratch: UnsafeMutableRawPointer(scratch.baseAddress),
      workers: workers)
  }

  @inline(__always)
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    switch layout {
    case .pixels: return UnsafeRawPointer(operands.x + rows.lowerBound &* depth)
    case .windows: return UnsafeRawPointer(operands.x)
    case .packed:
      let channels = convolution.inputDepth
      let first = block.assumingMemoryBound(to: Float.self)
      convolution.window.forEachRun(rows) { row, tap, pixel, count in
        let dest = first + (row &* depth &+ tap &* channels)
        if let pixel {
          copy(operands.x + pixel &* channels, count &* channels, to: dest)
        } else {
          fill(dest, count &* channels)
        }
      }
      return UnsafeRawPointer(block)
    }
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of operands: Operands, block: UnsafeMutableRawPointer
  ) {
    let x = x.assumingMemoryBound(to: Float.self)
    let weights = UnsafePointer(weights.base.assumingMemoryBound(to: Float.self))
    if layout == .windows {
      convolution.window.forEachStrip(ofLines: rows) { strip in
        multiply(x, strip, by: panels, weights, into: operands.y)
      }
    } else {
      multiply(x, rows, by: panels, weights, into: operands.y)
    }
  }

  /// Multiplies consecutive rows.
  @inline(__always)
  private func multiply(
    _ x: UnsafePointer<Float>, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    _ weights: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>
  ) {
    let depthOut = convolution.outputDepth
    let y = y + rows.lowerBound &* depthOut
    let done = rows.count == 1 ? multiplyOneRow(x, by: panels, weights, into: y) : 0
    for panel in panels[done...] {
      kernels.float32GEMM(
        Float32GEMM(
          x: Matrix(x, rowStride: depth), rows: rows.count, runs: .one(depth),
          weights: panel.weights(at: weights + panel.offset),
          y: MutableMatrix(y + panel.first, rowStride: depthOut), columns: panel.columns,
          range: range))
    }
  }

  /// Multiplies one row by all panels that are two vectors wide in one call, and returns their
  /// number.
  @inline(__always)
  private func multiplyOneRow(
    _ x: UnsafePointer<Float>, by panels: UnsafeBufferPointer<Panel>,
    _ weights: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>
  ) -> Int {
    // Only the last panel may be narrower.
    guard let last = panels.last else { return 0 }
    let count = last.width == 2 &* kernels.lanes ? panels.count : panels.count &- 1
    guard count > 0 else { return 0 }
    let (first, end) = (panels[0], panels[count &- 1])
    kernels.float32GEMV(
      Float32GEMV(
        x: x, depth: depth, panels: weights + first.offset, panelCount: count,
        y: y + first.first, columns: end.first &+ end.columns &- first.first, range: range))
    return count
  }

  /// Multiplies the windows of a strip of outputs.
  @inline(__always)
  private func multiply(
    _ x: UnsafePointer<Float>, _ strip: WindowStrip, by panels: UnsafeBufferPointer<Panel>,
    _ weights: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>
  ) {
    let (rows, columns) = (convolution.window.rows, convolution.window.columns)
    let (channels, depthOut) = (convolution.inputDepth, convolution.outputDepth)
    let tap = strip.tapRows.lowerBound &* columns.filter &+ strip.tapColumns.lowerBound
    for panel in panels {
      let bias = weights + panel.offset
      kernels.float32GEMM(
        Float32GEMM(
          x: Matrix(x + strip.input &* channels, rowStride: strip.inputStep &* channels),
          rows: strip.count,
          runs: Runs(
            count: strip.tapRows.count, length: strip.tapColumns.count &* channels,
            stride: rows.dilation &* columns.input &* channels),
          weights: PanelWeights(
            bias: bias, start: bias + (1 &+ tap &* channels) &* panel.width,
            runStride: columns.filter &* channels &* panel.width, width: panel.width),
          y: MutableMatrix(
            y + (strip.output &* depthOut &+ panel.first),
            rowStride: strip.outputStep &* depthOut),
          columns: panel.columns, range: range))
    }
  }
}

/// Copies a run that is too short to justify a call.
@inline(__always)
func copy(
  _ source: UnsafePointer<Float>, _ count: Int, to dest: UnsafeMutablePointer<Float>
) {
  var i = 0
  while i &+ 4 <= count {
    let four = UnsafeRawPointer(source + i).loadUnaligned(as: SIMD4<Float>.self)
    UnsafeMutableRawPointer(dest + i).storeBytes(of: four, as: SIMD4<Float>.self)
    i &+= 4
  }
  while i < count {
    dest[i] = source[i]
    i &+= 1
  }
}

@inline(__always)
private func fill(_ dest: UnsafeMutablePointer<Float>, _ count: Int) {
  for i in 0..<count { dest[i] = 0 }
}
