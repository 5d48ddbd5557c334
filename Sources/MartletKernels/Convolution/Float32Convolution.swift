//===--- Float32Convolution.swift - convolution as a product, floats ------===//
//
// The weights are packed once; then outputs are rows times all panels, some at a time. A row is read
// from the image where it lies: the pixel itself of a 1x1 convolution, else a run for each row of
// taps. Only where images are too narrow to fill tiles with neighbours, or taps have gaps between
// them, rows are laid out beforehand. A fully connected layer is a 1x1 convolution of an image as
// wide as the batch.
//
// Contract  As `Reference.convolve`, for filters as deep as the image. Inputs are finite.
// Order     See `float32GEMM` and `float32GEMV`: taps row by row, channels innermost, starting from
//           the bias.
// Cost      outputs · taps · channels; no allocation.
// Checked   Tests/MartletKernelsTests/Float32ConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A convolution of float images whose weights are packed.
package struct Float32Convolution: Sendable {
  /// Where rows are read from.
  private enum Layout {
    /// Each from a pixel.
    case pixels
    /// From what a window sees of the image.
    case windows
    /// From memory where they were laid out.
    case block
  }

  private let convolution: Convolution
  private let range: ClosedRange<Float>
  private let depth: Int
  private let layout: Layout
  private let panels: [Panel]
  /// Aligned: a vector that lies across two lines of the cache takes two loads.
  private let packed: Arena
  private let schedule: Schedule
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
    packed = Float32Convolution.pack(panels, depth: depth, filter: filter, bias: bias)
    let readsWindows =
      !window.isPointwise && window.columns.dilation == 1
      && window.columns.interior.count >= kernels.float32TileRows
    layout = readsWindows ? .windows : window.isPointwise ? .pixels : .block
    let width = panels.reduce(0) { $0 + $1.width }
    schedule = Schedule(
      rows: readsWindows ? window.lineCount : window.outputCount,
      columnsInPlace: window.isPointwise ? convolution.outputDepth : 0, panels: panels.count,
      // A row takes no less time than the smallest tile.
      multiplications: Schedule.product([max(window.outputCount, 4), width, depth]),
      rowBytes: depth * 4, tileRows: readsWindows ? 1 : kernels.float32TileRows, workers: workers)
  }

  private static func pack(
    _ panels: [Panel], depth: Int, filter: UnsafeBufferPointer<Float>,
    bias: UnsafeBufferPointer<Float>
  ) -> Arena {
    let arena = Arena(byteCount: panels.reduce(0) { $0 + $1.width * (depth + 1) } * 4)
    let packed = arena.base.assumingMemoryBound(to: Float.self)
    for panel in panels {
      for j in 0..<panel.columns {
        let column = panel.first + j
        if !bias.isEmpty { packed[panel.offset + j] = bias[column] }
        for k in 0..<depth {
          packed[panel.offset + (k + 1) * panel.width + j] = filter[column * depth + k]
        }
      }
    }
    return arena
  }

  /// The number of elements of scratch memory that a call needs.
  package var scratchCount: Int {
    layout == .block ? schedule.scratchBytes / 4 : 0
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, scratch: UnsafeMutableBufferPointer<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    let weights = UnsafePointer(packed.base.assumingMemoryBound(to: Float.self))
    let scratch = UnsafeMutableRawPointer(scratch.baseAddress)
    workers.perform(schedule.chunks) { chunk in
      let panels = schedule.panels(of: chunk)
      switch layout {
      case .pixels:
        schedule.forEachBlock(of: chunk) { rows in
          multiply(x + rows.lowerBound * depth, rows, panels, weights, into: y)
        }
      case .windows:
        convolution.window.forEachStrip(ofLines: schedule.rows(of: chunk)) { strip in
          multiply(x, strip, panels, weights, into: y)
        }
      case .block:
        schedule.withBlock(of: chunk, in: scratch) { memory in
          let block = memory.assumingMemoryBound(to: Float.self)
          schedule.forEachBlock(of: chunk) { rows in
            lay(rows, of: x, into: block)
            multiply(block, rows, panels, weights, into: y)
          }
        }
      }
    }
  }

  /// Lays out the rows of the matrix for some output pixels.
  @inline(__always)
  private func lay(
    _ rows: Range<Int>, of x: UnsafeMutablePointer<Float>, into block: UnsafeMutablePointer<Float>
  ) {
    let window = convolution.window
    let channels = convolution.inputDepth
    window.forEachRun(rows) { row, tap, pixel, count in
      let dest = block + (row &* depth &+ tap &* channels)
      if let pixel {
        copy(x + pixel &* channels, count &* channels, to: dest)
      } else {
        fill(dest, count &* channels)
      }
    }
  }

  /// Multiplies rows that lie one after the other.
  @inline(__always)
  private func multiply(
    _ block: UnsafePointer<Float>, _ rows: Range<Int>, _ range: Range<Int>,
    _ weights: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>
  ) {
    let depthOut = convolution.outputDepth
    panels.withUnsafeBufferPointer { panels in
      let rest =
        rows.count == 1 ? multiplyOneRow(block, rows.lowerBound, panels, range, weights, y) : range
      for index in rest {
        let panel = panels[index]
        kernels.float32GEMM(
          Float32GEMM(
            x: Matrix(block, rowStride: depth), rows: rows.count, runs: .one(depth),
            weights: panel.weights(at: weights + panel.offset),
            y: MutableMatrix(
              y + (rows.lowerBound &* depthOut &+ panel.first), rowStride: depthOut),
            columns: panel.columns, range: self.range))
      }
    }
  }

  /// Multiplies one row by those panels that are two vectors wide, all at once, and returns the rest.
  @inline(__always)
  private func multiplyOneRow(
    _ x: UnsafePointer<Float>, _ row: Int, _ panels: UnsafeBufferPointer<Panel>,
    _ range: Range<Int>, _ weights: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) -> Range<Int> {
    // Only the last panel may be narrower.
    let last = panels[range.upperBound &- 1]
    let end = last.width == 2 &* kernels.lanes ? range.upperBound : range.upperBound &- 1
    guard end > range.lowerBound else { return range }
    let first = panels[range.lowerBound]
    let columns = panels[end &- 1].first &+ panels[end &- 1].columns &- first.first
    kernels.float32GEMV(
      Float32GEMV(
        x: x, depth: depth, panels: weights + first.offset, panelCount: end &- range.lowerBound,
        y: y + (row &* convolution.outputDepth &+ first.first), columns: columns,
        range: self.range))
    return end..<range.upperBound
  }

  /// Multiplies what the windows of a strip of outputs see of the image.
  @inline(__always)
  private func multiply(
    _ x: UnsafePointer<Float>, _ strip: WindowStrip, _ range: Range<Int>,
    _ weights: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>
  ) {
    let (rows, columns) = (convolution.window.rows, convolution.window.columns)
    let (channels, depthOut) = (convolution.inputDepth, convolution.outputDepth)
    let tap = strip.tapRows.lowerBound &* columns.filter &+ strip.tapColumns.lowerBound
    panels.withUnsafeBufferPointer { panels in
      for index in range {
        let panel = panels[index]
        let bias = weights + panel.offset
        kernels.float32GEMM(
          Float32GEMM(
            x: Matrix(
              x + strip.input &* channels, rowStride: strip.inputStep &* channels),
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
            columns: panel.columns, range: self.range))
      }
    }
  }
}

/// Copies a run that is too short for a call to be worth it.
@inline(__always)
func copy(
  _ source: UnsafeMutablePointer<Float>, _ count: Int, to dest: UnsafeMutablePointer<Float>
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
