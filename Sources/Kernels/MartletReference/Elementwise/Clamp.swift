//===--- Clamp.swift - RELU, RELU6, RELU_N1_TO_1 on floats ----------------===//
//
// y[i] = min(max(x[i], low), high)
//
// Contract  `input` and `output` have the same number of elements and may be the same memory. NaN
//           becomes the lower bound.
// Cost      One pass.
//===----------------------------------------------------------------------===//

extension Reference {
  package static func clamp(
    _ input: UnsafeMutableBufferPointer<Float>, to range: ClosedRange<Float>,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<input.count {
      output[i] = min(max(input[i], range.lowerBound), range.upperBound)
    }
  }
}
