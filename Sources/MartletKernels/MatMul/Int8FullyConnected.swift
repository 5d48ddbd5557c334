//===--- Int8FullyConnected.swift - rows times a matrix, bytes ------------===//
//
// Scaled as LiteRT scales fully connected layers: in double precision.
//
// Contract  Bit for bit `Reference.convolve` of a `FullyConnected`.
// Cost      rows · units · depth; no allocation.
// Checked   Tests/MartletKernelsTests/FullyConnectedTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A fully connected layer of bytes whose weights are packed as bytes.
package struct Int8FullyConnected: Sendable {
  private let layer: FullyConnected
  private let zero: ByteZeroPoint
  private let requantizer: RealRequantizer
  private let packed: Int8Panels
  private let schedule: Schedule
  private let bytes: ByteMicrokernels

  /// Packs the weights; `nil` where the microkernels don't know bytes.
  init?(
    _ layer: FullyConnected, zero: ByteZeroPoint, weights: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: RealRequantizer, workers: Int,
    kernels: Microkernels
  ) {
    guard let bytes = kernels.bytes else { return nil }
    self.bytes = bytes
    self.layer = layer
    self.zero = zero
    self.requantizer = requantizer
    packed = Int8Panels(
      columns: layer.units, depth: layer.depth, weights: weights, bias: bias, zero: zero,
      scaling: .real(requantizer.factors))
    schedule = Schedule(
      rows: layer.rows, panels: packed.panels.count,
      multiplications: Schedule.product([layer.rows, layer.units, layer.depth]),
      rowBytes: 4 * packed.quads + 4, tileRows: 1, workers: workers)
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
    let scratch = UnsafeMutableRawPointer(scratch.baseAddress)
    workers.perform(schedule.chunks) { chunk in
      schedule.withBlock(of: chunk, in: scratch) { memory in
        schedule.forEachBlock(of: chunk) { rows in
          multiply(x, rows, schedule.panels(of: chunk), memory, into: y)
        }
      }
    }
  }

  private func multiply(
    _ x: UnsafeMutablePointer<UInt8>, _ rows: Range<Int>, _ range: Range<Int>,
    _ memory: UnsafeMutableRawPointer, into y: UnsafeMutablePointer<UInt8>
  ) {
    let rowLength = 4 * packed.quads
    let terms = (memory + rows.count * rowLength).assumingMemoryBound(to: Int32.self)
    var first = UnsafePointer(x + rows.lowerBound * layer.depth)
    if rowLength != layer.depth {
      for row in 0..<rows.count {
        (memory + row * rowLength).copyMemory(
          from: first + row * layer.depth, byteCount: layer.depth)
      }
      first = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
    }
    bytes.int8RowSums(
      Int8RowSums(
        x: Matrix(first, rowStride: rowLength), rows: rows.count, depth: layer.depth,
        flip: zero.flip, factor: packed.shift, terms: terms))
    for index in range {
      let panel = packed.panels[index]
      for row in 0..<rows.count {
        bytes.int8GEMV(
          Int8GEMV(
            x: first + row * rowLength, quads: packed.quads, term: terms[row],
            panel: packed.start + panel.offset,
            y: y + ((rows.lowerBound + row) * layer.units + panel.first), columns: panel.columns,
            zeroPoint: requantizer.zeroPoint, low: requantizer.range.lowerBound,
            high: requantizer.range.upperBound, flip: zero.flip))
      }
    }
  }
}
