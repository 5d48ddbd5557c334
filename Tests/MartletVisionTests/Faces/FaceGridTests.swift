import Foundation
import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceGridTests {
  /// A level of 3 x 2 cells, 8 pixels apart. Cells without an entry get a low logit and zeros.
  private func grid(_ cells: [Int: (logit: Float, numbers: [Float])]) throws -> FaceGrid {
    let logits = (0..<6).map { cells[$0]?.logit ?? -20 }
    let numbers = (0..<6).flatMap { cells[$0]?.numbers ?? [Float](repeating: 0, count: 16) }
    return try #require(
      FaceGrid(columns: 3, rows: 2, stride: 8, faceSize: 28, logits: logits, numbers: numbers))
  }

  private let ramp = (0..<16).map { Float($0) / 16 }

  @Test func decodesBoxAndKeyPoints() throws {
    // Cell 4 is the second of the second row, with center (12, 12).
    let found = try grid([4: (2, ramp)]).candidates(minimumScore: 0.4) {
      Point(x: 2 * $0.x, y: 2 * $0.y)
    }.faces()
    let face = try #require(found.first)
    #expect(found.count == 1)
    #expect((face.score - 1 / (1 + exp(-2))).magnitude < 1e-6)
    let (width, height) = (28 * exp(Float(2) / 16), 28 * exp(Float(3) / 16))
    let center = Point(x: 12, y: 12 + 28 / 16)
    #expect((face.frame.center.x - 2 * center.x).magnitude < 1e-4)
    #expect((face.frame.center.y - 2 * center.y).magnitude < 1e-4)
    #expect((face.frame.width - 2 * width).magnitude < 1e-4)
    #expect((face.frame.height - 2 * height).magnitude < 1e-4)
    for (index, point) in face.keyPoints.all.enumerated() {
      let x = 12 + 28 * Float(4 + 2 * index) / 16
      let y = 12 + 28 * Float(5 + 2 * index) / 16
      #expect((point.x - 2 * x).magnitude < 1e-4 && (point.y - 2 * y).magnitude < 1e-4)
    }
  }

  @Test func keyPointsKeepTheirOrder() throws {
    let points = try #require(FaceKeyPoints((0..<6).map { Point(x: Float($0), y: 0) }))
    #expect(
      [
        points.rightEye, points.leftEye, points.noseTip, points.mouth, points.rightEar,
        points.leftEar,
      ].map(\.x) == [0, 1, 2, 3, 4, 5])
    #expect(points.all.map(\.x) == [0, 1, 2, 3, 4, 5])
    #expect(FaceKeyPoints(Array(points.all.dropLast())) == nil)
  }

  @Test(
    arguments: [
      (3, 2, 6, 96, true), (3, 2, 5, 96, false), (3, 2, 6, 95, false), (3, 2, 6, 97, false),
      (0, 2, 0, 0, false), (-3, -2, 6, 96, false), (Int.max, 2, 6, 96, false),
    ])
  func rejectsArraysOfOtherSizes(
    _ columns: Int, _ rows: Int, _ logits: Int, _ numbers: Int, _ isGrid: Bool
  ) {
    let grid = FaceGrid(
      columns: columns, rows: rows, stride: 8, faceSize: 28,
      logits: [Float](repeating: 0, count: logits), numbers: [Float](repeating: 0, count: numbers))
    #expect((grid != nil) == isGrid)
  }

  /// A square of 24 pixels rotated clockwise by 90°: right becomes down, down becomes left.
  @Test func transformsKeyPointsAndKeepsTheBoxUpright() throws {
    let level = try grid([4: (2, ramp)])
    let plain = try #require(level.candidates(minimumScore: 0.4).first)
    let turned = try #require(
      level.candidates(minimumScore: 0.4) { Point(x: 24 - $0.y, y: $0.x) }.first)
    let box = plain.box
    #expect(
      turned.box
        == Box(minX: 24 - box.maxY, minY: box.x, maxX: 24 - box.y, maxY: box.maxX))
    for index in stride(from: 4, to: 16, by: 2) {
      #expect(turned.places[index] == 24 - plain.places[index + 1])
      #expect(turned.places[index + 1] == plain.places[index])
    }
  }

  @Test func dropsCellsBelowMinimumScore() throws {
    let level = try grid([0: (1, ramp), 2: (2, ramp), 5: (3, ramp)])
    #expect(level.candidates(minimumScore: 0.4).count == 3)
    #expect(level.candidates(minimumScore: 0.9).count == 1)
    #expect(level.candidates(minimumScore: 0.6, weight: 0.7).count == 2)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func dropsCellsThatAreNotFinite(_ value: Float) throws {
    for index in 0..<16 where index != 2 && index != 3 || value.isNaN {
      var numbers = ramp
      numbers[index] = value
      #expect(try grid([1: (5, numbers)]).candidates(minimumScore: 0.4).isEmpty, "\(index)")
    }
    if !(value > 0) {
      #expect(try grid([1: (value, ramp)]).candidates(minimumScore: 0.4).isEmpty)
    }
  }
}
