//===--- ColorModel.swift - color histograms of the target ----------------===//
//
// Histograms of the colors of the target and of its surroundings. Their ratio is the likelihood
// that a sample belongs to the target; its mean over a window of the target's size rates a shift
// (Possegger et al., 2015; Bertinetto et al., "Staple", 2016). It also works on targets that
// deform, for which the filter's template fails.
//
// Contract  Likelihoods are 0...1; an unknown color has 0.5.
// Cost      A table look-up and two additions per sample.
//===----------------------------------------------------------------------===//

/// The colors of a target and of its surroundings.
struct ColorModel {
  private static let bins = 16
  /// Neighboring samples have similar colors: every second sample of every second row is enough.
  private static let step = 2

  private let learningRate: Float
  private var inside: [Float]
  private var outside: [Float]
  private var isEmpty = true
  private var freshInside: [Float]
  private var freshOutside: [Float]
  private var sums: [Float] = []

  init(learningRate: Float) {
    self.learningRate = learningRate
    let count = ColorModel.bins * ColorModel.bins * ColorModel.bins
    inside = [Float](repeating: 0, count: count)
    outside = inside
    freshInside = inside
    freshOutside = inside
  }

  /// Learns from a patch with the target in its center, `width` times `height` samples large.
  mutating func learn(_ patch: Patch, width: Float, height: Float) {
    for index in freshInside.indices {
      freshInside[index] = 0
      freshOutside[index] = 0
    }
    var insideCount: Float = 0
    var outsideCount: Float = 0
    for y in stride(from: 0, to: patch.height, by: ColorModel.step) {
      let down = (Float(y) + 0.5 - Float(patch.height) / 2).magnitude * 2
      for x in stride(from: 0, to: patch.width, by: ColorModel.step) {
        let across = (Float(x) + 0.5 - Float(patch.width) / 2).magnitude * 2
        let bin = ColorModel.bin(patch.samples[y * patch.width + x])
        if across < 0.8 * width && down < 0.8 * height {
          freshInside[bin] += 1
          insideCount += 1
        } else if across > 1.1 * width || down > 1.1 * height {
          freshOutside[bin] += 1
          outsideCount += 1
        }
      }
    }
    let rate = isEmpty ? 1 : learningRate
    isEmpty = false
    let insideGain = rate / max(insideCount, 1)
    let outsideGain = rate / max(outsideCount, 1)
    for index in inside.indices {
      inside[index] = inside[index] * (1 - rate) + freshInside[index] * insideGain
      outside[index] = outside[index] * (1 - rate) + freshOutside[index] * outsideGain
    }
  }

  /// Computes the mean likelihood in windows of `width` times `height` samples, shifted from the
  /// patch's center by multiples of `step` samples: `count` times `count` of them; no shift is at
  /// `count / 2`.
  mutating func respond(
    to patch: Patch, width: Float, height: Float, step: Int, count: Int,
    into response: inout [Float]
  ) {
    sum(patch)
    let columns = patch.width / ColorModel.step
    let rows = patch.height / ColorModel.step
    let halfWidth = max(1, Int(width / 2) / ColorModel.step)
    let halfHeight = max(1, Int(height / 2) / ColorModel.step)
    for row in 0..<count {
      let y = (patch.height / 2 + (row - count / 2) * step) / ColorModel.step
      let top = max(0, y - halfHeight) * (columns + 1)
      let bottom = min(rows, y + halfHeight) * (columns + 1)
      for column in 0..<count {
        let x = (patch.width / 2 + (column - count / 2) * step) / ColorModel.step
        let left = max(0, x - halfWidth)
        let right = min(columns, x + halfWidth)
        let total =
          sums[bottom + right] - sums[bottom + left] - sums[top + right] + sums[top + left]
        let area = (bottom - top) / (columns + 1) * (right - left)
        response[row * count + column] = total / Float(area)
      }
    }
  }

  /// Computes the summed-area table of the likelihoods of every second sample.
  private mutating func sum(_ patch: Patch) {
    let columns = patch.width / ColorModel.step
    let rows = patch.height / ColorModel.step
    let count = (columns + 1) * (rows + 1)
    if sums.count != count { sums = [Float](repeating: 0, count: count) }
    for y in 0..<rows {
      var row: Float = 0
      let start = y * ColorModel.step * patch.width
      for x in 0..<columns {
        row += likelihood(patch.samples[start + x * ColorModel.step])
        let index = (y + 1) * (columns + 1) + x + 1
        sums[index] = sums[index - columns - 1] + row
      }
    }
  }

  @inline(__always)
  private func likelihood(_ sample: SIMD4<Float>) -> Float {
    let bin = ColorModel.bin(sample)
    let both = inside[bin] + outside[bin]
    return both > 0 ? inside[bin] / both : 0.5
  }

  @inline(__always)
  private static func bin(_ sample: SIMD4<Float>) -> Int {
    (Int(sample[0]) / 16 * 16 &+ Int(sample[1]) / 16) * 16 &+ Int(sample[2]) / 16
  }
}
