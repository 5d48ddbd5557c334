//===--- StepWeights.swift - byte weights that make bare sums -------------===//
//
// Packed as bytes where the processor multiplies those, else as pairs of 16-bit integers; and the
// rows that they multiply, laid out of images of unsigned bytes accordingly. The zero point of bytes
// counts in the sums; that of pairs is taken off first.
//
// Contract  Exact; weights are signed bytes.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletRuntime

import MartletTensor

/// A matrix of byte weights, packed.
struct StepWeights: Sendable {
  let panels: [Panel]
  /// The bytes of a row that is laid out.
  let rowLength: Int
  let tileRows: Int
  /// Whether zero points count in the sums.
  let countsZeros: Bool
  private let memory: Arena
  private let kernels: Microkernels

  /// Packs `columns` rows of `depth` weights.
  init(columns: Int, depth: Int, weights: [Int16], kernels: Microkernels) {
    let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    self.kernels = kernels
    if kernels.bytes != nil {
      let packed = PackedQuads(
        columns: columns, depth: depth, weights: weights, bias: none,
        zero: ByteZero(isSigned: false, zeroPoint: 0), scaling: .none)
      panels = packed.panels
      rowLength = 4 * packed.quads
      tileRows = ByteLoops.tileRows
      countsZeros = true
      memory = packed.memory
    } else {
      let packed = PackedPairs(
        columns: columns, depth: depth, weights: weights, bias: none, multipliers: [],
        widths: kernels.widths)
      panels = packed.panels
      rowLength = 4 * packed.pairs
      tileRows = kernels.sumRows
      countsZeros = false
      memory = packed.memory.withUnsafeBytes { Arena(copying: $0) }
    }
  }

  /// How wide the widest panel is.
  var width: Int { panels.first?.width ?? 0 }

  /// Lays out the rows of some outputs of an image whose zero point is `zero`; `depth` is the number
  /// of its channels.
  func lay(
    _ outputs: Range<Int>, of image: UnsafeRawBufferPointer, _ window: SlidingWindow, depth: Int,
    zero: Int32, into dest: UnsafeMutableRawPointer
  ) {
    guard !countsZeros else {
      return ByteLayout(
        window: window, depth: depth, rowLength: rowLength,
        border: UInt8(truncatingIfNeeded: zero)
      ).lay(outputs, of: image, into: dest)
    }
    guard let x = image.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let length = rowLength / 2
    let block = dest.assumingMemoryBound(to: Int16.self)
    let taps = window.rows.filter &* window.columns.filter
    if taps &* depth != length {
      for row in 0..<outputs.count { block[row &* length &+ taps &* depth] = 0 }
    }
    window.forEachRun(outputs) { row, tap, pixel, count in
      let dest = block + (row &* length &+ tap &* depth)
      if let pixel {
        kernels.widen(x + pixel &* depth, count &* depth, 0, Int16(zero), dest)
      } else {
        for i in 0..<count &* depth { dest[i] = 0 }
      }
    }
  }

  /// Multiplies rows that lie one after the other by a panel; rows of sums are as long as it is wide.
  @inline(__always)
  func multiply(
    _ rows: UnsafeRawPointer, _ count: Int, by panel: Panel,
    into sums: UnsafeMutablePointer<Int32>
  ) {
    let start = UnsafePointer(memory.base.assumingMemoryBound(to: Int32.self)) + panel.offset
    if let loops = kernels.bytes {
      loops.sums(
        rows.assumingMemoryBound(to: UInt8.self), rowLength, count, rowLength / 4, start,
        panel.width / 16, sums)
    } else {
      kernels.int16Sums(
        rows.assumingMemoryBound(to: Int32.self), rowLength / 4, count, rowLength / 4, start,
        panel.width, sums, panel.width)
    }
  }
}
