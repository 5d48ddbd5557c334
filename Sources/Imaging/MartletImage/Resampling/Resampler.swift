//===--- Resampler.swift - resampling passes ------------------------------===//
//
// The horizontal and the vertical pass. The caller chooses their order (RGBImage+Resize.swift).
//
// Contract  Each pass adds 2^21 to its sum of weight · byte and shifts by 22, which rounds to
//           nearest. Sums cannot exceed Int32 (ResampleTable.swift). Bytes are clamped to 255,
//           because rounded weights may sum to slightly more than one.
// Order     Integer sums: any order gives the same bits. A weight is split into 16-bit halves, w =
//           2^15 h + l, so that two taps' products are one instruction on x86-64.
// Cost      Across: rows · output columns · taps; down: output pixels · taps. A step handles two
//           taps of one pixel, or of eight bytes. Rows are distributed among workers. Memory: one
//           image of the output's width.
// Checked   Tests/MartletImageTests/ResizeTests.swift, against Pillow and NumPy
//===----------------------------------------------------------------------===//

import MartletBase
import MartletLevels
import MartletMicrokernels

/// The two passes over packed RGB.
enum Resampler {
  /// One half, added before the shift for rounding.
  private static let half: Int32 = 1 << (ResampleTable.precision - 1)

  /// The minimum number of output pixels per worker.
  private static let grain = 4096

  /// Resamples rows `rows` of an image `width` pixels wide and writes them packed, from the start
  /// of `output`.
  static func across(
    _ input: UnsafeBufferPointer<UInt8>, width: Int, rows: Range<Int>, table: ResampleTable,
    into output: UnsafeMutablePointer<UInt8>, _ workers: Workers
  ) {
    guard let base = input.baseAddress else { return }
    let columns = table.windows.count
    let kernels = Microkernels.current
    let isHalving = table.isHalving
    let mostPairs = table.windows.reduce(0) { max($0, $1.pairCount) }
    table.withUnsafePointers { windows, weights in
      workers.split(rows.count, grain: grain / columns + 1) { share in
        for y in share {
          let start = (rows.lowerBound + y) * width * 3
          let target = output + y * columns * 3
          let done = kernels.uint8ResampleRow(
            Uint8ResampleRow(
              row: base + start, byteCount: input.count - start, windows: windows,
              weights: weights, mostPairs: mostPairs, columns: columns, isHalving: isHalving,
              precision: ResampleTable.precision, y: target))
          for x in done..<columns {
            let window = table.windows[x]
            sum(base + (start + 3 * window.start), table, window, into: target + 3 * x)
          }
        }
      }
    }
  }

  /// Computes one output pixel, tap by tap.
  private static func sum(
    _ taps: UnsafePointer<UInt8>, _ table: ResampleTable, _ window: ResampleWindow,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    for channel in 0..<3 {
      var sum = half
      for tap in 0..<window.count {
        sum &+= Int32(taps[3 * tap + channel]) &* table.weight(of: tap, in: window)
      }
      output[channel] = byte(sum)
    }
  }

  /// Resamples columns of rows of `rowBytes` bytes; the first row of `input` is row `firstRow` of
  /// the image.
  static func down(
    _ input: UnsafePointer<UInt8>, rowBytes: Int, firstRow: Int, table: ResampleTable,
    into output: UnsafeMutablePointer<UInt8>, _ workers: Workers
  ) {
    let kernels = Microkernels.current
    table.withUnsafePointers { windows, weights in
      workers.split(table.windows.count, grain: grain * 3 / rowBytes + 1) { share in
        for y in share {
          let window = windows[y]
          let rows = input + (window.start - firstRow) * rowBytes
          let target = output + y * rowBytes
          if rowBytes < 8 {
            downNarrow(rows, rowBytes: rowBytes, table, window, into: target)
          } else {
            kernels.uint8ResampleColumns(
              Uint8ResampleColumns(
                rows: rows, rowBytes: rowBytes, count: window.count,
                weights: weights + window.firstWeight, precision: ResampleTable.precision,
                y: target))
          }
        }
      }
    }
  }

  /// Resamples columns of rows under eight bytes, byte by byte.
  private static func downNarrow(
    _ rows: UnsafePointer<UInt8>, rowBytes: Int, _ table: ResampleTable,
    _ window: ResampleWindow, into output: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<rowBytes {
      var sum = half
      for tap in 0..<window.count {
        sum &+= Int32(rows[tap * rowBytes + x]) &* table.weight(of: tap, in: window)
      }
      output[x] = byte(sum)
    }
  }

  @inline(__always)
  private static func byte(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(255, sum >> ResampleTable.precision))
  }
}

extension ResampleTable {
  /// Passes windows and weights as pointers, which avoids reference counting in loops.
  fileprivate func withUnsafePointers(
    _ body: (UnsafePointer<ResampleWindow>, UnsafePointer<Int32>) -> Void
  ) {
    windows.withUnsafeBufferPointer { windows in
      weights.withUnsafeBufferPointer { weights in
        guard let first = windows.baseAddress, let weight = weights.baseAddress else { return }
        body(first, weight)
      }
    }
  }
}
