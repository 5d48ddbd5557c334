//===--- Int8Convolution.swift - convolution as a product of bytes --------===//
//
// Rows of the matrix are read where they are if each output sees one pixel; else what each output
// sees is laid out in a row, byte for byte, with the zero point for the border.
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

/// A convolution of byte images whose weights are packed as bytes.
package struct Int8Convolution: Sendable {
  private let convolution: Convolution
  private let zero: ByteZeroPoint
  private let factors: Int8Factors
  private let depth: Int
  private let isInPlace: Bool
  private let packed: Int8Panels
  private let layout: Int8Im2col
  private let schedule: Schedule
  private let bytes: ByteMicrokernels

  /// Packs the weights; `nil` where the microkernels don't know bytes, or not such factors.
  init?(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer, workers: Int,
    kernels: Microkernels
  ) {
    guard let bytes = kernels.bytes, let factors = Int8Factors(requantizer, flip: zero.flip)
    else { return nil }
    let window = convolution.window
    let depth = window.rows.filter * window.columns.filter * convolution.inputDepth
    self.convolution = convolution
    self.zero = zero
    self.factors = factors
    self.depth = depth
    self.bytes = bytes
    packed = Int8Panels(
      columns: convolution.outputDepth, depth: depth, weights: filter, bias: bias, zero: zero,
      scaling: .fixed(factors))
    layout = Int8Im2col(
      window: window, depth: convolution.inputDepth, rowLength: 4 * packed.quads,
      border: zero.byte)
    isInPlace = window.isPointwise && depth == 4 * packed.quads
    schedule = Schedule(
      rows: window.outputCount, columnsInPlace: isInPlace ? convolution.outputDepth : 0,
      panels: packed.panels.count,
      multiplications: Schedule.product([window.outputCount, convolution.outputDepth, depth]),
      rowBytes: 4 * packed.quads + Int8Convolution.rowExtra, tileRows: bytes.int8TileRows,
      workers: workers)
  }

  /// The bytes that a row takes besides its own: its term, and room to write beyond the last.
  private static let rowExtra = Int8Im2col.overrun + 1

  /// The number of 32-bit elements of scratch memory that a call needs.
  var scratchCount: Int { needsMemory ? schedule.scratchBytes / 4 : 0 }

  private var needsMemory: Bool { !isInPlace || packed.shift != 0 }

  /// Convolves. Input and output are the bytes of the image and of the result.
  func callAsFunction(
    _ input: UnsafeMutableRawBufferPointer, scratch: UnsafeMutableBufferPointer<Int32>,
    into output: UnsafeMutableRawBufferPointer, workers: Workers
  ) {
    guard let x = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let y = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    workers.perform(schedule.chunks) { chunk in
      if !needsMemory {
        let rows = schedule.rows(of: chunk)
        multiply(x + rows.lowerBound * depth, rows, chunk, terms: nil, into: y)
      } else if schedule.isOnStack {
        let rowBytes = isInPlace ? 4 : 4 * packed.quads + Int8Convolution.rowExtra
        StackMemory.with(schedule.blockRows * rowBytes) { memory in
          convolve(x, input.count, chunk, memory, into: y)
        }
      } else if let scratch = UnsafeMutableRawPointer(scratch.baseAddress) {
        let chunkBytes = schedule.scratchBytes / schedule.chunks
        convolve(x, input.count, chunk, scratch + chunk * chunkBytes, into: y)
      }
    }
  }

  /// Convolves the blocks of a chunk, with memory for one.
  private func convolve(
    _ x: UnsafePointer<UInt8>, _ count: Int, _ chunk: Int, _ memory: UnsafeMutableRawPointer,
    into y: UnsafeMutablePointer<UInt8>
  ) {
    let block = memory.assumingMemoryBound(to: UInt8.self)
    let blockBytes = isInPlace ? 0 : schedule.blockRows * 4 * packed.quads
    let terms = (memory + blockBytes).assumingMemoryBound(to: Int32.self)
    schedule.forEachBlock(of: chunk) { rows in
      var first = x + rows.lowerBound * depth
      if !isInPlace {
        layout.lay(rows, of: UnsafeRawBufferPointer(start: x, count: count), into: memory)
        first = UnsafePointer(block)
      }
      if packed.shift != 0 {
        bytes.int8RowSums(
          Int8RowSums(
            x: Matrix(first, rowStride: 4 * packed.quads), rows: rows.count, depth: depth,
            flip: zero.flip, factor: packed.shift, terms: terms))
      }
      multiply(
        first, rows, chunk, terms: packed.shift != 0 ? UnsafePointer(terms) : nil, into: y)
    }
  }

  /// Multiplies rows by the panels of a chunk. `x` points to the first of the rows.
  @inline(__always)
  private func multiply(
    _ x: UnsafePointer<UInt8>, _ rows: Range<Int>, _ chunk: Int, terms: UnsafePointer<Int32>?,
    into y: UnsafeMutablePointer<UInt8>
  ) {
    let columns = convolution.outputDepth
    for index in schedule.panels(of: chunk) {
      let panel = packed.panels[index]
      bytes.int8GEMM(
        Int8GEMM(
          x: Matrix(x, rowStride: 4 * packed.quads), rows: rows.count, quads: packed.quads,
          terms: terms.map { RowTerms(start: $0, stride: 1) } ?? packed.noTerms,
          panel: packed.start + panel.offset, vectors: panel.width / 16,
          y: MutableMatrix(
            y + (rows.lowerBound * columns + panel.first), rowStride: columns),
          columns: panel.columns, output: factors.output))
    }
  }
}
