//===--- BoxEvaluation.swift - precision and recall of boxes --------------===//
//
// Boxes are matched with annotations by decreasing score, for ten thresholds of intersection over union,
// 0.5 to 0.95. The precision is the mean over 101 recalls, from 0 to 1.
//
// Contract  Numbers equal those of pycocotools: at most 100 boxes of a class in an image count, a box
//           in a crowd neither counts nor misses, and equal scores keep the order of images and
//           boxes. Annotations outside a range of areas, and boxes without one, do not count.
// Cost      O(boxes · annotations) for each image and class.
// Source    pycocotools 2.0, cocoeval.py; `.ci/check/exports` compares with it.
//===----------------------------------------------------------------------===//

/// An annotated object.
struct TrueBox: Equatable {
  /// The left and upper edge, the width and the height.
  let frame: SIMD4<Double>
  let area: Double
  /// Whether the box is around many objects, of which each matches.
  var isCrowd = false
}

/// A detected object.
struct FoundBox: Equatable {
  let frame: SIMD4<Double>
  let score: Double
}

/// The objects of one class in one image.
struct ImageBoxes: Equatable {
  var truth: [TrueBox] = []
  var found: [FoundBox] = []
}

/// How well boxes match annotations; `nil` without annotations.
struct Quality {
  /// The mean precision over all thresholds, and at the intersection over union of 0.5.
  var averagePrecision: Double?
  var averagePrecision50: Double?
  /// The mean over all thresholds of the share of annotations that are found.
  var averageRecall: Double?
  /// The mean precision of small, medium and large objects: below 32², below 96² pixels, above.
  var averagePrecisions: [Double?] = []
  /// The highest F1 at an intersection over union of 0.5, the lowest score of a box there, and its
  /// precision and recall.
  var best: (f1: Double, score: Double, precision: Double, recall: Double)?
  /// The number of annotations that count.
  var count = 0
}

/// A box after matching. Bits count thresholds.
private struct Match {
  let score: Double
  var hits: UInt16 = 0
  var ignored: UInt16 = 0
}

/// Matched boxes of several images, by decreasing score.
private struct Matches {
  var all: [Match] = []
  /// The number of annotations that count.
  var count = 0

  mutating func sort() {
    all = all.indices.sorted { (all[$1].score, $0) < (all[$0].score, $1) }.map { all[$0] }
  }
}

/// Evaluates the boxes of classes.
struct BoxEvaluation {
  /// The intersections over union, as NumPy computes them.
  private static let thresholds = steps(from: 0.5, to: 0.95, count: 10)
  private static let recalls = steps(from: 0, to: 1, count: 101)
  /// The most boxes of a class in an image, and the limits of areas: all, small, medium, large.
  private static let limit = 100
  private static let areas: [ClosedRange<Double>] = [
    0...1e10, 0...1024, 1024...9216, 9216...1e10,
  ]

  private static func steps(from start: Double, to end: Double, count: Int) -> [Double] {
    let step = (end - start) / Double(count - 1)
    return (0..<count - 1).map { Double($0) * step + start } + [end]
  }

  /// The quality of each class, and over all of them.
  let classes: [Quality]
  let all: Quality

  /// Evaluates classes, each with its images in order.
  init(_ classes: [[ImageBoxes]]) {
    let matches = classes.map { BoxEvaluation.matches($0, BoxEvaluation.areas[0]) }
    let qualities = zip(classes, matches).map { images, matches in
      var quality = BoxEvaluation.quality(matches)
      quality.averagePrecisions = BoxEvaluation.areas.dropFirst().map {
        BoxEvaluation.quality(BoxEvaluation.matches(images, $0)).averagePrecision
      }
      return quality
    }
    func mean(_ value: (Quality) -> Double?) -> Double? { qualities.compactMap(value).mean }
    var pooled = Matches()
    for matches in matches {
      // Classes without annotations do not count.
      pooled.all += matches.count > 0 ? matches.all : []
      pooled.count += matches.count
    }
    pooled.sort()
    self.classes = qualities
    all = Quality(
      averagePrecision: mean { $0.averagePrecision },
      averagePrecision50: mean { $0.averagePrecision50 }, averageRecall: mean { $0.averageRecall },
      averagePrecisions: (0..<3).map { size in mean { $0.averagePrecisions[size] } },
      best: BoxEvaluation.best(pooled), count: pooled.count)
  }

  /// The boxes of a class in all images, matched.
  private static func matches(_ images: [ImageBoxes], _ areas: ClosedRange<Double>) -> Matches {
    var matches = Matches()
    for image in images {
      matches.all += match(image, areas)
      matches.count += image.truth.count { $0.counts(in: areas) }
    }
    matches.sort()
    return matches
  }

  /// The boxes of an image by decreasing score. Each takes the annotation that it overlaps most, those
  /// that count before the others.
  private static func match(_ image: ImageBoxes, _ areas: ClosedRange<Double>) -> [Match] {
    let found = image.found.indices
      .sorted { (image.found[$1].score, $0) < (image.found[$0].score, $1) }
      .prefix(limit).map { image.found[$0] }
    let truth =
      image.truth.filter { $0.counts(in: areas) } + image.truth.filter { !$0.counts(in: areas) }
    let counting = image.truth.count { $0.counts(in: areas) }
    let overlaps = found.map { box in truth.map { box.overlap(with: $0) } }
    var matches = found.map { Match(score: $0.score) }
    for (bit, threshold) in thresholds.enumerated() {
      var isTaken = [Bool](repeating: false, count: truth.count)
      for (index, box) in found.enumerated() {
        var (least, best) = (threshold, Int?.none)
        for (place, overlap) in overlaps[index].enumerated() {
          if isTaken[place], !truth[place].isCrowd { continue }
          if let best, best < counting, place >= counting { break }
          if overlap >= least { (least, best) = (overlap, place) }
        }
        if let best {
          isTaken[best] = true
          matches[index].hits |= 1 << bit
          if best >= counting { matches[index].ignored |= 1 << bit }
        } else if !areas.contains(box.area) {
          matches[index].ignored |= 1 << bit
        }
      }
    }
    return matches
  }

  private static func quality(_ matches: Matches) -> Quality {
    guard matches.count > 0 else { return Quality() }
    let curves = thresholds.indices.map { curve(matches, $0) }
    return Quality(
      averagePrecision: curves.map { $0.precision }.mean, averagePrecision50: curves[0].precision,
      averageRecall: curves.map { $0.recall }.mean, best: best(matches), count: matches.count)
  }

  /// The mean precision and the recall at a threshold.
  private static func curve(
    _ matches: Matches, _ threshold: Int
  ) -> (precision: Double, recall: Double) {
    var (hits, misses) = (0.0, 0.0)
    var points = matches.all.map { match in
      if match.ignored >> threshold & 1 == 0 {
        if match.hits >> threshold & 1 == 1 { hits += 1 } else { misses += 1 }
      }
      return (recall: hits / Double(matches.count), precision: hits / (hits + misses + 0x1p-52))
    }
    // The precision at a recall is the best at this recall or a higher one.
    for index in points.indices.dropFirst().reversed() {
      points[index - 1].precision = max(points[index - 1].precision, points[index].precision)
    }
    var index = 0
    let sum = recalls.reduce(0) { sum, recall in
      while index < points.count, points[index].recall < recall { index += 1 }
      return sum + (index < points.count ? points[index].precision : 0)
    }
    return (sum / Double(recalls.count), points.last?.recall ?? 0)
  }

  /// The lowest score with the highest F1 at the first threshold; boxes of equal scores stay together.
  private static func best(
    _ matches: Matches
  ) -> (f1: Double, score: Double, precision: Double, recall: Double)? {
    guard matches.count > 0 else { return nil }
    var best = (f1: 0.0, score: 1.0, precision: 0.0, recall: 0.0)
    var (hits, found) = (0.0, 0.0)
    for (index, match) in matches.all.enumerated() where match.ignored & 1 == 0 {
      found += 1
      hits += Double(match.hits & 1)
      let next = matches.all[(index + 1)...].first { $0.ignored & 1 == 0 }
      let f1 = 2 * hits / (found + Double(matches.count))
      if next?.score != match.score, f1 > best.f1 {
        best = (f1, match.score, hits / found, hits / Double(matches.count))
      }
    }
    return best
  }
}

extension TrueBox {
  fileprivate func counts(in areas: ClosedRange<Double>) -> Bool {
    !isCrowd && areas.contains(area)
  }
}

extension FoundBox {
  fileprivate var area: Double { frame[2] * frame[3] }

  /// The intersection over union; with a crowd the share of this box inside it.
  fileprivate func overlap(with truth: TrueBox) -> Double {
    let other = truth.frame
    let width = min(frame[0] + frame[2], other[0] + other[2]) - max(frame[0], other[0])
    let height = min(frame[1] + frame[3], other[1] + other[3]) - max(frame[1], other[1])
    guard width > 0, height > 0 else { return 0 }
    let common = width * height
    return common / (truth.isCrowd ? area : area + other[2] * other[3] - common)
  }
}

extension [Double] {
  fileprivate var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
