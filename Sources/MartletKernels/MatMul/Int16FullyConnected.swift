//===--- Int16FullyConnected.swift - rows times a matrix of pairs ---------===//
//
// The product of `Int16Convolution`, scaled as LiteRT scales fully connected layers: in double
// precision, one output at a time.
//
// Contract  Bit for bit `Reference.fullyConnect` with one weight type for inputs and outputs.
// Cost      rows · units · depth; no allocation.
// Checked   Tests/MartletKernelsTests/FullyConnectedTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A fully connected layer of bytes whose weights are packed.
package struct Int16FullyConnected: Sendable {
  private let layer: FullyConnected
  private let zero: ByteZeroPoint
  private let requantizer: RealRequantizer
  private let packed: Int16Panels
  private let schedule: Schedule
  private let kernels: Microkernels

  /// Packs the weights, one row for each unit with zero points taken off; an empty bias is zero.
  ///
  /// - Precondition: no weight is beyond ±255.
  init(
    _ layer: FullyConnected, zero: ByteZeroPoint, weights: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: RealRequantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    self.kernels = kernels
    self.layer = layer
    self.zero = zero
    self.requantizer = requantizer
    packed = Int16Panels(
      columns: layer.units, depth: layer.depth, weights: weights, bias: bias, multipliers: [],
      widths: kernels.panelWidths)
    schedule = Schedule(
      rows: layer.rows, panels: packed.panels.count,
      multiplications: Schedule.product([layer.rows, layer.units, layer.depth]),
      rowBytes: (packed.pairs + 2 * kernels.lanes) * 4,
      tileRows: kernels.int16TileRows, workers: workers)
  }

  /// The number of 32-bit elements of scratch memory that a call needs.
  var scratchCount: Int { schedule.scratchBytes / 4 }

  /// Multiplies. Input and output are the bytes of the rows and of the results.
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
            widen(rows, of: x, into: block)
            multiply(block, rows, schedule.panels(of: chunk), weights, into: y)
          }
        }
      }
    }
  }

  private func widen(
    _ rows: Range<Int>, of x: UnsafeMutablePointer<UInt8>, into block: UnsafeMutablePointer<Int32>
  ) {
    let block = UnsafeMutableRawPointer(block).assumingMemoryBound(to: Int16.self)
    let rowLength = 2 * packed.pairs
    for row in 0..<rows.count {
      let dest = block + row * rowLength
      dest[rowLength - 1] = 0
      kernels.int8Widen(x + (rows.lowerBound + row) * layer.depth, layer.depth, zero, dest)
    }
  }

  private func multiply(
    _ block: UnsafeMutablePointer<Int32>, _ rows: Range<Int>, _ range: Range<Int>,
    _ weights: UnsafePointer<Int32>, into y: UnsafeMutablePointer<UInt8>
  ) {
    let sums = block + schedule.blockRows * packed.pairs
    packed.panels.withUnsafeBufferPointer { panels in
      for index in range {
        let panel = panels[index]
        kernels.int16GEMM(
          Int16GEMM(
            x: Matrix(block, rowStride: packed.pairs), rows: rows.count, pairs: packed.pairs,
            panel: weights + panel.offset, width: panel.width,
            sums: MutableMatrix(sums, rowStride: panel.width)))
        for row in 0..<rows.count {
          let dest = y + ((rows.lowerBound + row) * layer.units + panel.first)
          for j in 0..<panel.columns {
            let sum = Int64(sums[row * panel.width + j])
            dest[j] = UInt8(
              truncatingIfNeeded: requantizer(sum, channel: panel.first + j))
          }
        }
      }
    }
  }
}
