import MartletBase
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletKernels

/// The geometry of a convolution or pool, as a row of a table.
struct WindowCase: Sendable, CustomTestStringConvertible {
  var batches = 1
  var height = 7
  var width = 9
  var filter = (3, 3)
  var stride = (1, 1)
  var dilation = (1, 1)
  var isSame = true
  var channels = 8
  /// Output channels of a convolution, or the depth multiplier of a depthwise one.
  var outputs = 8

  var testDescription: String {
    "\(batches)x\(height)x\(width)x\(channels) by \(filter) stride \(stride) dilation \(dilation)"
      + " \(isSame ? "same" : "valid") to \(outputs)"
  }

  var window: SlidingWindow? {
    guard
      let rows = WindowAxis(
        input: height, filter: filter.0, stride: stride.0, dilation: dilation.0, isSame: isSame),
      let columns = WindowAxis(
        input: width, filter: filter.1, stride: stride.1, dilation: dilation.1, isSame: isSame)
    else { return nil }
    return SlidingWindow(batches: batches, rows: rows, columns: columns)
  }

  /// Combinations of filters, strides, dilations and padding, with odd extents.
  static let geometries: [WindowCase] = [
    WindowCase(filter: (1, 1)),
    WindowCase(batches: 2, filter: (1, 1), stride: (2, 2)),
    WindowCase(filter: (3, 3)),
    WindowCase(batches: 2, filter: (3, 3), isSame: false),
    WindowCase(filter: (3, 3), stride: (2, 2)),
    WindowCase(height: 8, width: 8, filter: (3, 3), stride: (2, 2)),
    WindowCase(filter: (3, 3), dilation: (2, 3)),
    WindowCase(height: 12, width: 11, filter: (5, 5), stride: (3, 2), isSame: false),
    WindowCase(height: 2, width: 3, filter: (5, 5)),
    WindowCase(height: 1, width: 40, filter: (1, 3)),
    WindowCase(height: 13, width: 1, filter: (3, 1), stride: (2, 1)),
    WindowCase(height: 9, width: 9, filter: (2, 4), stride: (2, 2), isSame: false),
    WindowCase(height: 3, width: 3, filter: (3, 3), stride: (4, 4)),
    WindowCase(batches: 2, height: 8, width: 34, filter: (3, 3), stride: (2, 2)),
    WindowCase(height: 6, width: 23, filter: (5, 5)),
    WindowCase(height: 2, width: 43, filter: (5, 5), stride: (1, 2)),
    WindowCase(batches: 2, height: 9, width: 31, filter: (3, 3), dilation: (2, 1), isSame: false),
    WindowCase(height: 3, width: 4, filter: (2, 2), dilation: (5, 3)),
  ]

  /// All geometries, then one geometry and a 1x1 filter with all channel counts.
  static func table(outputs: [Int]) -> [WindowCase] {
    let counts = [1, 3, 7, 8, 16, 24, 33]
    let first = geometries.enumerated().map { index, geometry in
      var geometry = geometry
      geometry.channels = counts[index % counts.count]
      geometry.outputs = outputs[index % outputs.count]
      return geometry
    }
    let second = counts.flatMap { channels in
      outputs.map { WindowCase(stride: (2, 1), channels: channels, outputs: $0) }
    }
    let third = counts.map {
      WindowCase(filter: (1, 1), channels: $0, outputs: outputs[$0 % outputs.count])
    }
    return first + second + third
  }
}

/// The workers and the instruction set of a run.
struct Run: Sendable {
  let workers: Workers
  let kernels: Microkernels

  static let plain = Run(workers: .serial, kernels: .current)

  /// All combinations of worker counts and available instruction sets.
  static let all: [Run] = {
    let pools = [Workers.serial, .pool(count: 2), .pool(count: 4)]
    return Microkernels.available.flatMap { kernels in
      pools.map { Run(workers: $0, kernels: kernels) }
    }
  }()
}

extension SplitMix64 {
  mutating func floats(_ count: Int) -> [Float] {
    (0..<count).map { _ in Float.random(in: -1...1, using: &self) }
  }

  mutating func integers<Scalar: FixedWidthInteger>(
    _ count: Int, in range: ClosedRange<Scalar> = .min ... .max
  ) -> [Scalar] {
    (0..<count).map { _ in Scalar.random(in: range, using: &self) }
  }

  /// Typical factors of convolutions, and an extreme one in every ninth channel.
  mutating func requantizer(
    channels: Int, perChannel: Bool, zeroPoint: Int32, range: ClosedRange<Int32>
  ) -> Requantizer {
    let extremes = [3.7, 1.0, 0.75, 0x1p-31, 0.5, 0]
    var factors = (0..<channels).map { channel in
      channel % 9 == 8
        ? extremes[channel / 9 % extremes.count]
        : Double.random(in: 0.0005...0.02, using: &self)
    }
    if !perChannel { factors = [Double](repeating: factors[0], count: channels) }
    return Requantizer(
      multipliers: factors.map { FixedPointMultiplier($0) }, zeroPoint: zeroPoint, range: range)
  }
}

/// The content of memory that begins as `garbage` after a kernel runs, with scratch memory filled
/// with `filler`.
func output<T, Scratch>(
  over garbage: [T], scratch filler: Scratch, count: Int,
  _ kernel: (UnsafeMutableBufferPointer<Scratch>, UnsafeMutableRawBufferPointer) -> Void
) -> [T] {
  var result = garbage
  var scratch = [Scratch](repeating: filler, count: count)
  buffer(&result) { y in
    buffer(&scratch) { kernel($0, UnsafeMutableRawBufferPointer(y)) }
  }
  return result
}
