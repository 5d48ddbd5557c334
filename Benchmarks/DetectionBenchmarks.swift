//===--- DetectionBenchmarks.swift - steps after the localizer ------------===//

import MartletCommandLine
import MartletVision

enum DetectionBenchmarks {
  /// Non-maximum suppression of pseudorandom boxes, as many as the detector accepts.
  static var all: [Benchmark] {
    let parameters = DetectionParameters()
    return [
      Benchmark(name: "suppress/\(parameters.candidates) boxes") {
        let objects = objects(parameters.candidates)
        return Work(unit: .none) {
          _ = objects.suppressingOverlaps(
            of: parameters.overlap, limit: parameters.survivors)
        }
      }
    ]
  }

  /// Boxes with sides of at most half the image's, sorted by decreasing score.
  private static func objects(_ count: Int) -> [DetectedObject] {
    var random = SplitMix64(seed: 1)
    func share() -> Float { Float(random.next() >> 40) * 0x1p-25 }
    return (0..<count).map { index in
      DetectedObject(
        frame: Box(x: share(), y: share(), width: share(), height: share()),
        score: 1 - Float(index) / Float(count))
    }
  }
}
