//===--- ChannelScaling.swift - constants of an output channel ------------===//
//
// Contract  The input's zero point is folded into the bias. Factors are LiteRT's.
//===----------------------------------------------------------------------===//

import MartletBase

/// The processors that code is compiled for.
package enum CompileTarget: String, CaseIterable {
  case portable
  /// Cortex-M4, M7, M33 and other processors with the DSP extension.
  case dsp = "armv7em-dsp"
  /// Cortex-M52, M55, M85, which have Helium besides.
  case helium = "armv8.1m-mve"
}

/// How the sums of an output channel become bytes.
struct ChannelScaling {
  let bias: Int32
  let factor: FixedPointMultiplier
  /// Whether all sums become the same byte; then the weights count as zeros. Channels that training
  /// has removed have tiny factors and enormous biases.
  let isConstant: Bool
  private let weightSum: Int32
  /// The greatest magnitude of a sum.
  private let reach: Int64

  /// - Parameter isSingle: Whether the scales are multiplied in single precision.
  init<Weights: Collection<Int32>>(
    _ weights: Weights, bias: Int32, x: (scale: Float, zero: Int32), weight: Float,
    y: (scale: Float, zero: Int32, range: ClosedRange<Int32>), isSingle: Bool
  ) {
    let sum = weights.reduce(0 as Int32) { $0 &+ $1 }
    let product = isSingle ? Double(x.scale * weight) : Double(x.scale) * Double(weight)
    let factor = FixedPointMultiplier(product / Double(y.scale))
    let bias = bias &- x.zero &* sum
    let least = weights.reduce(Int64(bias)) { $0 + 255 * Int64(min($1, 0)) }
    let greatest = weights.reduce(Int64(bias)) { $0 + 255 * Int64(max($1, 0)) }
    if let byte = ChannelScaling.byte(of: least, factor, y.zero, y.range),
      byte == ChannelScaling.byte(of: greatest, factor, y.zero, y.range)
    {
      isConstant = true
      // A quarter of four times the result.
      self.bias = 4 * (byte - y.zero)
      self.factor = FixedPointMultiplier(0.25)
      weightSum = 0
      reach = Int64(self.bias.magnitude)
    } else {
      isConstant = false
      self.bias = bias
      self.factor = factor
      weightSum = sum
      reach = max(Int64(least.magnitude), Int64(greatest.magnitude))
    }
  }

  /// The result of a sum, or `nil` if it wraps around on the way.
  private static func byte(
    of sum: Int64, _ factor: FixedPointMultiplier, _ zero: Int32, _ range: ClosedRange<Int32>
  ) -> Int32? {
    guard sum.magnitude <= UInt64(Int32.max) >> UInt64(max(factor.shift, 0)) else { return nil }
    let sum = Int32(sum)
    let value = Int64(factor(sum)) + Int64(zero)
    return Int32(min(max(value, Int64(range.lowerBound)), Int64(range.upperBound)))
  }

  /// The integers of a record for `Portable`.
  var integers: [Int32] { [bias, factor.mantissa, 0 - factor.shift] }

  /// Whether the scaled sum and what rounds it fit in 32 bits, as `Portable` needs it.
  var fitsPortable: Bool { factor.fits(reach) }

  /// Whether the preconditions of `DSP` hold.
  var fitsDSP: Bool {
    (factor.mantissa == 0 || (1...30).contains(0 - factor.shift)) && reach < 1 << 29
  }

  /// The integers of a record for `DSP`.
  var dspIntegers: [Int32] {
    factor.mantissa == 0
      ? [bias, 0, 0] : [bias, factor.mantissa, 1 << (30 + factor.shift)]
  }

  /// The integers of a record for a convolution of `Helium`.
  var heliumIntegers: [Int32] { [bias &+ 128 &* weightSum, factor.mantissa, heliumShift] }

  /// The shift of a record for `Helium`.
  var heliumShift: Int32 { factor.mantissa == 0 ? -1 : Int32(factor.shift) }
}

extension FixedPointMultiplier {
  /// Whether the scaled value, what rounds it, and a zero point fit in 32 bits for all values up to a
  /// magnitude.
  func fits(_ reach: Int64) -> Bool {
    // With a zero point the interpreter's results would wrap around elsewhere than those of kernels
    // for unsigned bytes.
    guard shift < 0 else { return reach < (1 << 31 - 256) >> Int64(shift) }
    // Values that need more bits wrap around, as LiteRT's do.
    let half: Int64 = 1 << Int64(-1 - shift)
    return (min(reach, 1 << 31) * Int64(mantissa)) >> 31 + half < 1 << 31
  }
}

/// The layouts of weights for `DSP`.
enum DSPWeights {
  /// Weights by output channel, as words for pairs of channels.
  static func convolution(_ weights: [UInt8], outputs: Int, taps: Int) -> [UInt8] {
    func weight(_ output: Int, _ tap: Int) -> UInt8 {
      output < outputs && tap < taps ? weights[output * taps + tap] : 0
    }
    var bytes: [UInt8] = []
    for output in stride(from: 0, to: outputs, by: 2) {
      for tap in stride(from: 0, to: (taps + 7) / 8 * 8, by: 4) {
        for first in [tap, tap + 1] {
          for place in [first, first + 2] {
            bytes += [weight(output, place), weight(output + 1, place)]
          }
        }
      }
    }
    return bytes
  }

  /// Weights of 3 x 3 taps by channel, as halves for four channels.
  static func wideDepthwise(_ weights: [Int32], channels: Int) -> [UInt8] {
    var halves: [Int32] = []
    for first in stride(from: 0, to: channels, by: 4) {
      for tap in stride(from: 0, to: 8, by: 2) {
        for channel in first..<first + 4 {
          halves += [weights[tap * channels + channel], weights[(tap + 1) * channels + channel]]
        }
      }
      halves += weights[8 * channels + first..<8 * channels + first + 4]
    }
    return halves.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// Weights of 3 x 3 taps by channel, as words for four channels.
  static func depthwise(_ weights: [UInt8], channels: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for channel in stride(from: 0, to: channels, by: 4) {
      func pair(_ tap: Int, _ first: Int) -> [UInt8] {
        let start = tap * channels + channel + first
        return [weights[start], weights[start + 1]]
      }
      for tap in stride(from: 0, to: 8, by: 2) {
        for first in [0, 2] { bytes += pair(tap, first) + pair(tap + 1, first) }
      }
      bytes += pair(8, 0) + pair(8, 2)
    }
    return bytes
  }
}

/// The layouts of weights and integers for `Helium`.
enum HeliumWeights {
  /// Weights of taps by channel, as the taps of eight channels after another.
  static func depthwise(_ weights: [UInt8], channels: Int) -> [UInt8] {
    stride(from: 0, to: channels, by: 8).flatMap { first in
      stride(from: first, to: weights.count, by: channels).flatMap { weights[$0..<$0 + 8] }
    }
  }

  /// The integers of depthwise channels, of eight channels after another.
  static func integers(_ channels: [ChannelScaling]) -> [Int32] {
    stride(from: 0, to: channels.count, by: 8).flatMap { first in
      let eight = [0, 2, 4, 6, 1, 3, 5, 7].map { channels[first + $0] }
      return eight.map(\.bias) + eight.map(\.factor.mantissa) + eight.map(\.heliumShift)
    }
  }
}
