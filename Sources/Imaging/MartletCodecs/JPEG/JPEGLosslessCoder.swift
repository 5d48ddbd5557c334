//===--- JPEGLosslessCoder.swift - lossless scans -------------------------===//
//
// ITU-T T.81, annex H: each sample is the difference from a prediction by its neighbors to the left
// and above. Samples are stored minus the prediction of an interval's first one, so that lines without
// data have that value.
//
// Contract  The components and tables must outlive the coder. An interval begins with a line.
//           Damaged data give the samples of libjpeg-turbo: an invalid code is a difference of 0.
//           Predictions use 16 bits, of which the samples keep the lowest.
// Cost      One table load and a prediction per sample.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift, JPEGRecoveryTests.swift
//===----------------------------------------------------------------------===//

/// Decodes the bits of a lossless scan to samples.
struct JPEGLosslessCoder: JPEGBlockCoder {
  private struct Target {
    let codes: JPEGHuffmanCodes
    let values: UnmanagedMemory<Int16>
    let stride: Int
    /// The end of the interval's first line.
    var firstEnd = 0
    /// The start of the next line; -1 before the interval.
    var nextLine = -1
  }

  static let dataEnd = JPEGDataEnd.line

  private var targets: [Target]
  /// The number of the predictor (table H.1).
  private let predictor: Int
  /// The prediction of an interval's first sample.
  private let initial: UInt16

  /// A coder for the components of a scan and their tables.
  init(
    _ components: [JPEGComponent], _ tables: [JPEGHuffmanTable], _ scan: JPEGScan,
    _ frame: JPEGFrame
  ) {
    targets = zip(components, tables).map { component, table in
      Target(
        codes: table.codes, values: component.values, stride: component.paddedBlocksPerLine)
    }
    predictor = scan.start
    initial = 1 << UInt16(frame.precision - scan.low - 1)
  }

  mutating func reset() {
    for i in targets.indices { targets[i].nextLine = -1 }
  }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    let target = targets[place]
    var reader = bits
    let size = reader.symbol(target.codes, from: file)
    let difference = size == 16 ? 1 << 15 : Int(reader.value(size))
    bits = reader
    let prediction: Int
    if target.nextLine < 0 || index == target.nextLine {
      prediction = target.nextLine < 0 ? Int(initial) : value(index - target.stride, target)
      if target.nextLine < 0 { targets[place].firstEnd = index + target.stride }
      targets[place].nextLine = index + target.stride
    } else {
      prediction = self.prediction(index, target)
    }
    target.values[index] = Int16(truncatingIfNeeded: prediction &+ difference &- Int(initial))
    return size >= 0
  }

  /// The prediction of sample `index`, which does not begin a line (H.1.2.1).
  @inline(__always) private func prediction(_ index: Int, _ target: Target) -> Int {
    let left = value(index - 1, target)
    guard predictor > 1, index >= target.firstEnd else { return left }
    let above = value(index - target.stride, target)
    guard predictor > 2 else { return above }
    let corner = value(index - target.stride - 1, target)
    return switch predictor {
    case 3: corner
    case 4: left + above - corner
    case 5: left + (above - corner) >> 1
    case 6: above + (left - corner) >> 1
    default: (left + above) >> 1
    }
  }

  /// The decoded sample at `index`.
  @inline(__always) private func value(_ index: Int, _ target: Target) -> Int {
    Int(UInt16(bitPattern: target.values[index]) &+ initial)
  }
}
