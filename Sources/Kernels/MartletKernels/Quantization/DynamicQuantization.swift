//===--- DynamicQuantization.swift - run-time quantization ----------------===//
//
// Quantizes the images of a batch, or the rows of a matrix, each with its own scale.
//
// Contract  Bit-exact with `Reference.quantizeRows`.
// Cost      Two passes; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The quantization of images, each with its own scale.
struct DynamicQuantization: Sendable {
  /// The smallest number of elements of a chunk that justifies waking a worker.
  private static let grain = 1 << 15
  /// The most chunks for finding the range of one image.
  private static let maximumChunks = 16

  /// The number of images, and the elements of one.
  let count: Int
  let length: Int
  let isAsymmetric: Bool
  let kernels: Microkernels

  /// Calls `begin` with each image and its scale, then `quantize` with ranges of its elements and
  /// the scale. Together the ranges cover all elements.
  @inline(__always)
  func forEachPart(
    _ x: UnsafePointer<Float>, workers: Workers, begin: (_ image: Int, DynamicScale) -> Void,
    quantize: (_ elements: Range<Int>, DynamicScale) -> Void
  ) {
    for image in 0..<count {
      let start = image &* length
      let map = scale(x + start, workers)
      begin(image, map)
      workers.split(length, grain: DynamicQuantization.grain) { part in
        quantize(start &+ part.lowerBound..<start &+ part.upperBound, map)
      }
    }
  }

  private func scale(_ x: UnsafePointer<Float>, _ workers: Workers) -> DynamicScale {
    var low: Float = 0
    var high: Float = 0
    let chunks = min(
      workers.count, max(length / DynamicQuantization.grain, 1), DynamicQuantization.maximumChunks)
    if chunks == 1 {
      kernels.float32Range(x, length, &low, &high)
    } else {
      // Two floats for each chunk.
      var ranges = SIMD32<Float>.zero
      withUnsafeMutableBytes(of: &ranges) { memory in
        guard let parts = memory.baseAddress?.assumingMemoryBound(to: SIMD2<Float>.self)
        else { return }
        workers.perform(chunks) { chunk in
          let part = length * chunk / chunks..<length * (chunk + 1) / chunks
          var (low, high): (Float, Float) = (0, 0)
          kernels.float32Range(x + part.lowerBound, part.count, &low, &high)
          parts[chunk] = SIMD2(low, high)
        }
        for chunk in 0..<chunks {
          low = min(low, parts[chunk].x)
          high = max(high, parts[chunk].y)
        }
      }
    }
    return DynamicScale(low: low, high: high, isAsymmetric: isAsymmetric)
  }
}

extension DynamicScale {
  /// The map from floats to quantized values.
  var forward: DynamicMap { DynamicMap(inverse: inverse, zeroPoint: zeroPoint) }
}
