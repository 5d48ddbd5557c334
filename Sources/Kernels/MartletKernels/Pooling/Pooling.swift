//===--- Pooling.swift - average and max pooling --------------------------===//
//
// Floats are pooled in strips of outputs that use the same number of taps, with the sums in
// registers. Bytes are pooled output by output, over the channels of one tap after the other. Their
// results are accumulated in the output, or in scratch memory if they need more bits.
//
// Contract  Bit-exact with `Reference.averagePool` and `Reference.maxPool`.
// Order     Float sums run over taps row by row.
// Cost      outputs · taps; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// Average or maximum pooling of an image.
package struct Pooling: Sendable {
  /// The smallest number of elements that a chunk reads that justifies waking a worker.
  static let grain = 1 << 16
  /// The most taps whose bytes a 32-bit sum can hold.
  static let maximumTaps = 1 << 23

  private let window: SlidingWindow
  private let depth: Int
  private let chunks: Int
  /// The number of chunks of the output lines of floats.
  private let lineChunks: Int
  private let kernels: Microkernels

  /// Creates a pooling of `depth` channels, or returns `nil` if a window has more than
  /// `maximumTaps` taps.
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
    // If sums do not fit on the stack, each chunk needs its own memory.
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

  /// Calls `body` with the index of each output.
  @inline(__always)
  private func forEachOutput(_ workers: Workers, _ body: (_ output: Int) -> Void) {
    workers.perform(chunks) { chunk in
      for output in outputs(of: chunk) { body(output) }
    }
  }

  /// Computes averages of floats.
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

  /// Computes maxima of floats.
  package func maximum(
    _ input: UnsafeMutableBufferPointer<Float>, clampedTo range: ClosedRange<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    forEachStrip(workers) { strip in
      kernels.float32MaxPool(pool(strip, x, y + strip.output &* depth), range)
    }
  }

  /// The arguments of the microkernel for a strip.
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

  /// Calls `body` with strips of outputs that use the same number of taps.
  @inline(__always)
  private func forEachStrip(_ workers: Workers, _ body: (WindowStrip) -> Void) {
    let lines = window.lineCount
    workers.perform(lineChunks) { chunk in
      window.forEachStrip(
        ofLines: lines * chunk / lineChunks..<lines * (chunk + 1) / lineChunks, body)
    }
  }

  /// Computes averages of bytes, rounded to nearest, ties away from zero.
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

  /// Computes the averages of one chunk.
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

  /// Computes maxima of bytes.
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
