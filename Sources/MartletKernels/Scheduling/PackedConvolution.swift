//===--- PackedConvolution.swift - the driver of convolutions -------------===//
//
// All convolutions and layers with packed weights run in one loop: chunks for the workers; in a chunk
// blocks of rows, packed while they are in the cache; over each block all panels of weights. A type
// says how rows are packed and what multiplies them. Rows are those of the matrix that a convolution
// multiplies (im2col), or whole lines of outputs where each channel has its own filter or windows are
// read where they lie.
//
// Products of two matrices that the graph computes have a loop of their own (`BatchSchedule`), since
// there panels are packed in the middle of it.
//
// Contract  As `Schedule`: no split changes a bit.
// Cost      No allocation. The loop is compiled for each type.
// Checked   Tests/MartletKernelsTests/ScheduleTests.swift, and the tests of each type
//===----------------------------------------------------------------------===//

import MartletRuntime

/// A convolution whose weights are packed.
protocol PackedConvolution: Sendable {
  /// What a call reads and writes.
  associatedtype Operands

  var schedule: Schedule { get }
  /// What blocks of rows are multiplied by; none where a microkernel takes all channels at once.
  var panels: [Panel] { get }

  /// Packs rows into `block`, or finds them where they lie, and returns the place of the first.
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer

  /// Computes the results of packed rows and some panels. `block` is the memory that `pack` had.
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of operands: Operands, block: UnsafeMutableRawPointer)
}

extension PackedConvolution {
  var panels: [Panel] { [] }

  @inline(__always)
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    UnsafeRawPointer(block)
  }

  /// Computes all results. `scratch` has as many bytes as the schedule says.
  @inline(__always)
  func run(_ operands: Operands, scratch: UnsafeMutableRawPointer?, workers: Workers) {
    panels.withUnsafeBufferPointer { panels in
      workers.perform(schedule.chunks) { chunk in
        let panels = UnsafeBufferPointer(rebasing: panels[schedule.panels(of: chunk)])
        schedule.withBlock(of: chunk, in: scratch) { block in
          schedule.forEachBlock(of: chunk) { rows in
            if workers.isInterrupted { return }
            let x = pack(rows, of: operands, into: block)
            multiply(x, rows, by: panels, of: operands, block: block)
          }
        }
      }
    }
  }
}
