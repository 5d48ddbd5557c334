//===--- PackedConvolution.swift - shared convolution loop ----------------===//
//
// All layers with packed weights run in the same loop: chunks for the workers; in each chunk,
// blocks of rows that are packed while they are in the cache; for each block, all panels of
// weights. The conforming type packs the rows and multiplies them. Rows are those of the im2col
// matrix, or whole lines of outputs if each channel has its own filter or windows are read without
// packing.
//
// Products of two computed matrices use a different loop (`BatchSchedule`), which also packs
// panels.
//
// Contract  As `Schedule`: results do not depend on the split.
// Cost      No allocation. The loop is specialized for each type.
// Checked   Tests/MartletKernelsTests/ScheduleTests.swift, and the tests of each type
//===----------------------------------------------------------------------===//

import MartletBase

/// A convolution with packed weights.
protocol PackedConvolution: Sendable {
  /// The inputs and outputs of a call.
  associatedtype Operands

  var schedule: Schedule { get }
  /// The panels that multiply each block of rows; empty if a microkernel processes all channels at
  /// once.
  var panels: [Panel] { get }

  /// Packs rows into `block`, or uses them where they are, and returns the address of the first.
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer

  /// Computes the results of packed rows and some panels. `block` is the memory passed to `pack`.
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

  /// Computes all results. `scratch` has `schedule.scratchBytes` bytes.
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
