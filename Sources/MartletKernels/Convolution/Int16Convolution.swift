//===--- Int16Convolution.swift - convolution as a product of pairs -------===//
//
// As `Float32Convolution`, with rows widened to 16 bits and zero points taken off on the way to
// scratch memory: signed and unsigned images, filters with one scale or one for each output channel
// are one case, and the border is zeros.
//
// Contract  Bit for bit `Reference.convolve`, for filters as deep as the image.
// Cost      outputs · taps · channels; no allocation.
// Checked   Tests/MartletKernelsTests/QuantizedConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A convolution of byte images whose weights are packed.
package struct Int16Convolution: Sendable {
  private let convolution: Convolution
  private let zero: ByteZeroPoint
  private let quantization: OutputQuantization
  private let depth: Int
  private let packed: Int16Panels
  private let schedule: Schedule
  private let kernels: Microkernels

  /// Packs the weights, OHWI with their zero points taken off; an empty bias is zero.
  ///
  /// - Precondition: the filters are as deep as the image, and no weight is beyond ±255.
  init(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    precondition(convolution.filterDepth == convolution.inputDepth)
    let window = convolution.window
    let depth = window.rows.filter * window.columns.filter * convolution.inputDepth
    self.kernels = kernels
    self.convolution = convolution
    self.zero = zero
    quantization = requantizer.output
    self.depth = depth
    packed = Int16Panels(
      columns: convolution.outputDepth, depth: depth, weights: filter, bias: bias,
      multipliers: requantizer.multipliers, widths: kernels.panelWidths)
    schedule = Schedule(
      rows: window.outputCount, panels: packed.panels.count,
      multiplications: Schedule.product([window.outputCount, convolution.outputDepth, depth]),
      rowBytes: (packed.pairs + 2 * kernels.lanes) * 4, tileRows: kernels.int16TileRows,
      workers: workers)
  }

  /// The number of 32-bit elements of scratch memory that a call needs.
  var scratchCount: Int { schedule.scratchBytes / 4 }

  /// Convolves. Input and output are the bytes of the image and of the result.
  func callAsFunction(
    _ input: UnsafeMutableRawBufferPointer, scratch: UnsafeMutableBufferPointer<Int32>,
    into output: UnsafeMutableRawBufferPointer, workers: Workers
  ) {
    guard let x = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let y = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    packed.memory.withUnsafeBufferPointer { memory in
      guard let weights = memory.baseAddress else { return }
      let scratch = UnsafeMutableRawPointer(scratch.baseAddress)
      workers.perform(schedule.chunks) { chunk in
        schedule.withBlock(of: chunk, in: scratch) { memory in
          let block = memory.assumingMemoryBound(to: Int32.self)
          schedule.forEachBlock(of: chunk) { rows in
            lay(rows, of: x, into: block)
            multiply(block, rows, schedule.panels(of: chunk), weights, into: y)
          }
        }
      }
    }
  }

  /// Lays out the rows of the matrix for some output pixels.
  @inline(__always)
  private func lay(
    _ rows: Range<Int>, of x: UnsafeMutablePointer<UInt8>, into block: UnsafeMutablePointer<Int32>
  ) {
    let window = convolution.window
    let channels = convolution.inputDepth
    let rowLength = 2 &* packed.pairs
    let block = UnsafeMutableRawPointer(block).assumingMemoryBound(to: Int16.self)
    if depth != rowLength {
      for row in 0..<rows.count { block[row &* rowLength &+ depth] = 0 }
    }
    if window.isPointwise && depth == rowLength {
      return kernels.int8Widen(
        x + rows.lowerBound &* depth, rows.count &* depth, zero, block)
    }
    window.forEachRun(rows) { row, tap, pixel, count in
      let dest = block + (row &* rowLength &+ tap &* channels)
      if let pixel {
        kernels.int8Widen(x + pixel &* channels, count &* channels, zero, dest)
      } else {
        for i in 0..<count &* channels { dest[i] = 0 }
      }
    }
  }

  @inline(__always)
  private func multiply(
    _ block: UnsafeMutablePointer<Int32>, _ rows: Range<Int>, _ range: Range<Int>,
    _ weights: UnsafePointer<Int32>, into y: UnsafeMutablePointer<UInt8>
  ) {
    let depthOut = convolution.outputDepth
    let sums = block + schedule.blockRows * packed.pairs
    packed.panels.withUnsafeBufferPointer { panels in
      for index in range {
        let panel = panels[index]
        let fields = weights + panel.offset
        kernels.int16GEMM(
          Int16GEMM(
            x: Matrix(block, rowStride: packed.pairs), rows: rows.count, pairs: packed.pairs,
            panel: fields, width: panel.width,
            sums: MutableMatrix(sums, rowStride: panel.width)))
        kernels.int32Requantize(
          Int32Requantize(
            sums: Matrix(sums, rowStride: panel.width), rows: rows.count, panel: fields,
            width: panel.width,
            y: MutableMatrix(
              y + (rows.lowerBound &* depthOut &+ panel.first), rowStride: depthOut),
            columns: panel.columns, output: quantization))
      }
    }
  }
}
