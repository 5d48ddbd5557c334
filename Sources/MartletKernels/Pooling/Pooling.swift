//===--- Pooling.swift - averages and maxima of windows -------------------===//
//
// Of floats strip by strip of outputs that see as many taps, the sums in registers. Of bytes output
// by output, over the channels of one tap after the other: results are accumulated where they are to
// lie, or in scratch memory where they need more room.
//
// Contract  Bit for bit `Reference.averagePool` and `Reference.maxPool`.
// Order     Float sums run over taps row by row.
// Cost      outputs · taps; no allocation.
// Checked   Tests/MartletKernelsTests/PoolingTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletRuntime
import MartletTensor

/// The average or the maximum of windows of an image.
package struct Pooling: Sendable {
  /// Chunks that read fewer elements than this are not worth a wake-up.
  static let grain = 1 << 16
  /// The most taps whose bytes a 32-bit sum can hold.
  static let maximumTaps = 1 << 23

  private let window: SlidingWindow
  private let depth: Int
  private let chunks: Int
  /// How many chunks the lines of outputs of floats are split into.
  private let lineChunks: Int
  private let kernels: Microkernels

  /// A pool of `depth` channels, or `nil` for a window of more than eight million taps.
  package init?(
    _ window: SlidingWindow, depth: Int, workers: Int, kernels: Microkernels = .current
  ) {
    let (taps, overflow) = window.rows.filter.multipliedReportingOverflow(
      by: window.columns.filter)
    guard !overflow, taps <= Pooling.maximumTaps else { return nil }
    self.kernels = kernels
    self.window = window
    self.depth = depth
    let work = Schedule.product([window.outputCount, depth, taps])
    // Beyond the stack each chunk needs memory of its own.
    let most = Pooling.isOnStack(depth) ? Schedule.shortChunks : Schedule.chunks
    chunks = most(window.outputCount, work, Pooling.grain, workers)
    lineChunks = Schedule.shortChunks(
      of: window.lineCount, work: work, grain: Pooling.grain, workers: workers)
  }

  /// The number of 32-bit elements of scratch memory that an average of bytes needs.
  package var scratchCount: Int { isOnStack ? 0 : chunks * depth }

  private var isOnStack: Bool { Pooling.isOnStack(depth) }

  private static func isOnStack(_ depth: Int) -> Bool {
    Schedule.product([depth, 4]) <= StackMemory.limit
  }

  private func outputs(of chunk: Int) -> Range<Int> {
    let count = window.outputCount
    return count * chunk / chunks..<count * (chunk + 1) / chunks
  }

  /// Calls `body` with each output.
  @inline(__always)
  private func forEachOutput(_ workers: Workers, _ body: (_ output: Int) -> Void) {
    workers.perform(chunks) { chunk in
      for output in outputs(of: chunk) { body(output) }
    }
  }

  /// The average of floats.
  package func average(
    _ input: UnsafeMutableBufferPointer<Float>, clampedTo range: ClosedRange<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    forEachStrip(workers) { strip in
      let sums = y + strip.output &* depth
      kernels.float32SumPool(pool(strip, x, sums))
      let count = Float(strip.tapRows.count &* strip.tapColumns.count)
      for output in 0..<strip.count {
        let sums = sums + output &* strip.outputStep &* depth
        for i in 0..<depth {
          sums[i] = min(max(sums[i] / count, range.lowerBound), range.upperBound)
        }
      }
    }
  }

  /// The maximum of floats.
  package func maximum(
    _ input: UnsafeMutableBufferPointer<Float>, clampedTo range: ClosedRange<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    forEachStrip(workers) { strip in
      kernels.float32MaxPool(pool(strip, x, y + strip.output &* depth), range)
    }
  }

  /// A strip as microkernels take it.
  @inline(__always)
  private func pool(
    _ strip: WindowStrip, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) -> Float32Pool {
    Float32Pool(
      x: x + strip.input &* depth, windowStride: strip.inputStep &* depth, windows: strip.count,
      rows: strip.tapRows.count, columns: strip.tapColumns.count,
      rowStride: window.columns.input &* depth, depth: depth,
      y: MutableMatrix(y, rowStride: strip.outputStep &* depth))
  }

  /// Calls `body` with strips of outputs that see as many taps each.
  @inline(__always)
  private func forEachStrip(_ workers: Workers, _ body: (WindowStrip) -> Void) {
    let lines = window.lineCount
    workers.perform(lineChunks) { chunk in
      window.forEachStrip(
        ofLines: lines * chunk / lineChunks..<lines * (chunk + 1) / lineChunks, body)
    }
  }

  /// The average of bytes, rounded to nearest, ties away from zero.
  package func average(
    _ input: UnsafeMutableRawBufferPointer, isSigned: Bool, clampedTo range: ClosedRange<Int32>,
    scratch: UnsafeMutableBufferPointer<Int32>, into output: UnsafeMutableRawBufferPointer,
    workers: Workers
  ) {
    guard let x = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let y = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    let flip: UInt8 = isSigned ? 0x80 : 0
    let scratch = scratch.baseAddress
    workers.perform(chunks) { chunk in
      if isOnStack {
        StackMemory.with(depth * 4) { memory in
          average(x, chunk, flip, range, sums: memory.assumingMemoryBound(to: Int32.self), into: y)
        }
      } else if let scratch {
        average(x, chunk, flip, range, sums: scratch + chunk &* depth, into: y)
      }
    }
  }

  /// The averages of one chunk.
  @inline(__always)
  private func average(
    _ x: UnsafeMutablePointer<UInt8>, _ chunk: Int, _ flip: UInt8, _ range: ClosedRange<Int32>,
    sums: UnsafeMutablePointer<Int32>, into y: UnsafeMutablePointer<UInt8>
  ) {
    for index in outputs(of: chunk) {
      sums.update(repeating: 0, count: depth)
      var count: Int32 = 0
      window.forEachTap(ofOutput: index) { pixel, _ in
        kernels.uint8Add(x + pixel &* depth, depth, flip, sums)
        count &+= 1
      }
      let excess = count &* Int32(flip)
      for i in 0..<depth {
        let sum = sums[i] &- excess
        let mean = (sum &+ (sum > 0 ? count / 2 : -(count / 2))) / count
        y[index &* depth &+ i] = UInt8(
          truncatingIfNeeded: min(max(mean, range.lowerBound), range.upperBound))
      }
    }
  }

  /// The maximum of bytes.
  package func maximum(
    _ input: UnsafeMutableRawBufferPointer, isSigned: Bool, clampedTo range: ClosedRange<Int32>,
    into output: UnsafeMutableRawBufferPointer, workers: Workers
  ) {
    guard let x = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let y = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    let flip: UInt8 = isSigned ? 0x80 : 0
    let low = UInt8(truncatingIfNeeded: range.lowerBound) ^ flip
    let high = UInt8(truncatingIfNeeded: range.upperBound) ^ flip
    forEachOutput(workers) { index in
      let largest = y + index &* depth
      largest.update(repeating: low, count: depth)
      window.forEachTap(ofOutput: index) { pixel, _ in
        kernels.uint8Maximum(x + pixel &* depth, depth, flip, largest)
      }
      for i in 0..<depth { largest[i] = min(largest[i], high) ^ flip }
    }
  }
}
