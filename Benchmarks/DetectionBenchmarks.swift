//===--- DetectionBenchmarks.swift - what follows the localiser -----------===//

import MartletCommandLine
import MartletVision

enum DetectionBenchmarks {
  /// Non-maximum suppression of as many seeded boxes as the detector lets through.
  static var all: [Benchmark] {
    let parameters = DetectionParameters()
    return [
      Benchmark(name: "suppress/\(parameters.candidates) boxes") {
        let proposals = proposals(parameters.candidates)
        return Work(unit: .none) {
          _ = proposals.suppressingOverlaps(
            of: parameters.overlap, limit: parameters.survivors)
        }
      }
    ]
  }

  /// Boxes of half the picture's sides at most, by falling score.
  private static func proposals(_ count: Int) -> [Proposal] {
    var random = SplitMix64(seed: 1)
    func share() -> Float { Float(random.next() >> 40) * 0x1p-25 }
    return (0..<count).map { index in
      Proposal(
        box: Box(x: share(), y: share(), width: share(), height: share()),
        score: 1 - Float(index) / Float(count))
    }
  }
}
