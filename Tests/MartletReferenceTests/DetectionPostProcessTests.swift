import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct DetectionPostProcessTests {
  /// Three boxes of size 1 at heights 0, 0.1 and 5, defined by anchors only.
  static let anchors: [Float] = [0.5, 0.5, 1, 1, 0.6, 0.5, 1, 1, 5, 5, 1, 1]

  private func detect(
    scores: [Float], classes: Int, background: Bool = false, regular: Bool, limit: Int = 3,
    perDetection: Int = 1
  ) -> (boxes: [Float], classes: [Float], scores: [Float], count: Float) {
    let process = DetectionPostProcess(
      boxes: 3, encodingLength: 4, classes: classes, hasBackground: background,
      maximumDetections: limit, classesPerDetection: perDetection, detectionsPerClass: 100,
      scoreThreshold: 0.3, overlapThreshold: 0.5, scales: SIMD4(10, 10, 5, 5))
    let rows = process.rows
    let parts = filled(6 * rows + 1, with: Float.nan) { all in
      func part(_ range: Range<Int>) -> UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(rebasing: all[range])
      }
      let results = DetectionResults(
        boxes: part(0..<4 * rows), classes: part(4 * rows..<5 * rows),
        scores: part(5 * rows..<6 * rows), count: part(6 * rows..<6 * rows + 1))
      withBuffer([Float](repeating: 0, count: 15)) { floats in
        withBuffer([Int32](repeating: 0, count: 3 + limit)) { places in
          withBuffer(Self.anchors) { anchors in
            withBuffer([Float](repeating: 0, count: 12)) { encodings in
              let scratch = DetectionScratch(
                decoded: UnsafeMutableBufferPointer(rebasing: floats[0..<12]),
                best: UnsafeMutableBufferPointer(rebasing: floats[12..<15]),
                candidates: UnsafeMutableBufferPointer(rebasing: places[0..<3]),
                merged: UnsafeMutableBufferPointer(rebasing: places[3...]))
              process.decode(encodings, anchors: anchors, into: scratch.decoded)
              withBuffer(scores) {
                if regular {
                  process.regular(scores: $0, scratch, into: results)
                } else {
                  process.fast(scores: $0, scratch, into: results)
                }
              }
            }
          }
        }
      }
    }
    return (
      Array(parts[0..<4 * rows]), Array(parts[4 * rows..<5 * rows]),
      Array(parts[5 * rows..<6 * rows]), parts[6 * rows]
    )
  }

  @Test func suppressesOverlapsAcrossClasses() {
    let found = detect(scores: [0.9, 0, 0.2, 0.8, 0.1, 0.7], classes: 2, regular: false)
    #expect(found.count == 2)
    #expect(found.classes == [0, 1, 0])
    #expect(found.scores == [0.9, 0.7, 0])
    #expect(found.boxes == [0, 0, 1, 1, 4.5, 4.5, 5.5, 5.5, 0, 0, 0, 0])
  }

  @Test func regularSuppressionRunsPerClass() {
    let found = detect(scores: [0.9, 0, 0.2, 0.8, 0.1, 0.7], classes: 2, regular: true)
    #expect(found.count == 3)
    #expect(found.classes == [0, 1, 1])
    #expect(found.scores == [0.9, 0.8, 0.7])
  }

  @Test func backgroundDoesNotCount() {
    let scores: [Float] = [0.99, 0.4, 0.99, 0, 0.99, 0.1]
    let found = detect(scores: scores, classes: 1, background: true, regular: false)
    #expect(found.count == 1)
    #expect(found.scores == [0.4, 0, 0])
  }

  @Test func equalScoresKeepTheirOrder() {
    let found = detect(scores: [0.5, 0.5, 0.5], classes: 1, regular: false)
    #expect(found.count == 2)
    #expect(Array(found.boxes[0..<4]) == [0, 0, 1, 1])
  }

  @Test func reportsTheBestClassesOfABox() {
    let found = detect(
      scores: [0.1, 0.6, 0.6, 0, 0, 0, 0, 0, 0], classes: 3, regular: false, limit: 1,
      perDetection: 2)
    #expect(found.classes == [1, 2])
    #expect(found.scores == [0.6, 0.6])
  }

  @Test func nanScoresAreNoDetections() {
    let found = detect(scores: [.nan, .nan, .nan], classes: 1, regular: true)
    #expect(found.count == 0)
  }
}
