//===--- Requantize.swift - QUANTIZE, DEQUANTIZE --------------------------===//
//
// Quantize: y = clamp(round(x / scale) + zero point), ties away from zero. Dequantize: y = scale ·
// (x - zero point). Requantize: from one pair of scale and zero point to another; with a narrower
// clamp this also serves quantized RELU, RELU6 and RELU_N1_TO_1.
//
// Contract  Bit for bit LiteRT. Each run of `run` elements shares a scale; after the last scale the
//           first follows. NaN becomes the lowest integer.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension ScaleLayout {
  /// Calls `body` with the range of each run of `count` elements, and the index of its scale.
  @export(implementation) @inline(__always)
  func forEachRun(of count: Int, _ body: (Range<Int>, Int) -> Void) {
    var start = 0
    var index = 0
    while start < count {
      body(start..<min(start &+ run, count), index)
      start &+= run
      index = index &+ 1 == scales.count ? 0 : index &+ 1
    }
  }
}

extension Reference {
  @export(implementation)
  package static func quantize<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Float>, _ layout: ScaleLayout,
    clampedTo limits: ClosedRange<Scalar> = Scalar.min...Scalar.max,
    into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    layout.forEachRun(of: input.count) { range, index in
      for i in range {
        let steps = VectorMath.round(input[i] / layout.scales[index])
        // Beyond the range of all integer types, only the sign matters.
        let whole: Int64 = steps >= -0x1p40 ? Int64(min(steps, 0x1p40)) : -1 << 40
        let value = Scalar(clamping: whole + Int64(layout.zeroPoints[index]))
        output[i] = min(max(value, limits.lowerBound), limits.upperBound)
      }
    }
  }

  @export(implementation)
  package static func dequantize<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, _ layout: ScaleLayout,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    layout.forEachRun(of: input.count) { range, index in
      for i in range {
        output[i] = layout.scales[index] * Float(Int(input[i]) - Int(layout.zeroPoints[index]))
      }
    }
  }

  /// Half-precision bits to single precision, exactly.
  package static func dequantize(
    half input: UnsafeRawPointer, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    workers.split(output.count, grain: 1 << 15) { part in
      for i in part {
        output[i] = Float(
          halfBits: input.loadUnaligned(fromByteOffset: 2 * i, as: UInt16.self).littleEndian)
      }
    }
  }

  /// - Parameter offset: The input's negated zero point.
  @export(implementation)
  package static func requantize<Scalar: FixedWidthInteger, Result: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, offset: Int32, _ requantizer: Requantizer,
    into output: UnsafeMutableBufferPointer<Result>
  ) {
    for i in 0..<input.count {
      let value = Int32(truncatingIfNeeded: input[i]) &+ offset
      output[i] = Result(truncatingIfNeeded: requantizer(value, channel: 0))
    }
  }
}
