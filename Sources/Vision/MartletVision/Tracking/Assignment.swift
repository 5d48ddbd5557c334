//===--- Assignment.swift - assignment of detections to tracks ------------===//
//
// Contract  The best pair is taken first, then the best of the others that share neither track nor
//           detection with it. Ties go to the first track, then to the first detection.
//===----------------------------------------------------------------------===//

/// Rated pairs of tracks and detections.
struct Assignment {
  private var pairs: [(rating: Float, track: Int, detection: Int)] = []

  mutating func add(track: Int, detection: Int, rating: Float) {
    pairs.append((rating, track, detection))
  }

  /// The chosen pairs, the best one first.
  var matches: [(track: Int, detection: Int)] {
    var chosen: [(track: Int, detection: Int)] = []
    for pair in pairs.sorted(by: {
      ($1.rating, $0.track, $0.detection) < ($0.rating, $1.track, $1.detection)
    }) where !chosen.contains(where: { $0.track == pair.track || $0.detection == pair.detection }) {
      chosen.append((pair.track, pair.detection))
    }
    return chosen
  }
}
