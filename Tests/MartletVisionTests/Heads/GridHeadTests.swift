import Foundation
import MartletTestSupport
import Testing

@testable import MartletVision

/// Boxes of grids, computed by hand. Images of 128 x 64 pixels are stretched to an input of 64 x 64.
@Suite struct GridHeadTests {
  private static func logit(_ probability: Double) -> Float {
    Float(log(probability / (1 - probability)))
  }

  /// A grid whose boxes have no object, except these: [index of the box: its numbers].
  private static func grid(
    _ side: Int, _ anchors: Int, _ classes: Int, _ boxes: [Int: [Float]]
  ) -> HeadFile.Output {
    let channels = 5 + classes
    var output = HeadFile.Output(shape: [1, side, side, anchors * channels])
    output.rest = -20
    for (box, numbers) in boxes {
      for (channel, number) in numbers.enumerated() {
        output.numbers[box * channels + channel] = number
      }
    }
    return output
  }

  /// Two grids, the coarse one first, with two anchors each.
  private static let twoGrids = HeadFile(outputs: [
    // Row 0, column 1, anchor 0.
    grid(2, 2, 2, [2: [logit(0.75), logit(0.25), Float(log(0.5)), 0, 20, 0, -20]]),
    // Row 1, column 2, anchor 1.
    grid(4, 2, 2, [13: [0, 0, 0, 0, logit(0.8), -20, logit(0.9)]]),
  ])
  private static let anchors: [Float] = [8, 16, 16, 8, 32, 32, 64, 16]

  private func expect(_ objects: [DetectedObject], _ expected: [[Float]]) {
    #expect(objects.count == expected.count)
    for (object, box) in zip(objects, expected) {
      let frame = object.frame
      for (found, number) in zip([frame.x, frame.y, frame.maxX, frame.maxY], box) {
        #expect(abs(found - number) < 0.01, "\(frame)")
      }
      #expect(abs(object.score - box[4]) < 1e-3)
      #expect(object.labels.map(\.index) == [Int(box[5])])
    }
  }

  @Test func decodesGridsFromTheFinestOn() throws {
    let objects = try Self.twoGrids.objects(anchors: Self.anchors)
    expect(objects, [[64, 20, 96, 28, 0.72, 1], [96, 0, 128, 24, 0.5, 0]])
  }

  @Test func classesOfASingleGridExcludeEachOther() throws {
    let file = HeadFile(outputs: [
      Self.grid(2, 1, 3, [3: [0, 0, 0, 0, Self.logit(0.8), 0, Float(log(2.0)), Float(log(5.0))]])
    ])
    expect(try file.objects(anchors: [32, 32]), [[64, 32, 128, 64, 0.5, 2]])
  }

  @Test(arguments: [[8, 16], [8, 16, 16, 8, 32, 32], [Float](repeating: 9, count: 28)])
  func refusesAnchorsThatDoNotFit(_ anchors: [Float]) {
    let shapes = [Shape(1, 2, 2, 14), Shape(1, 4, 4, 14)]
    #expect(throws: VisionError.unsuitable(.detectorHead(.grid, outputs: shapes))) {
      try Self.twoGrids.objects(anchors: anchors)
    }
  }

  @Test func withoutAnchorsTheyAreRequested() {
    let file = HeadFile(outputs: [Self.grid(2, 3, 80, [:]), Self.grid(4, 3, 80, [:])])
    #expect(throws: VisionError.unsuitable(.anchors(.grids))) { try file.objects() }
    #expect("\(VisionError.unsuitable(.anchors(.grids)))".contains("the option anchors"))
  }

  @Test func namesTheHeadInItsReason() throws {
    let reading = try Self.twoGrids.detector(anchors: Self.anchors).reading
    #expect(
      reading.description.hasPrefix(
        "grid: grids of 4 x 4, 2 x 2 cells with 2 given anchors and 2 classes; images are stretched"
      )
    )
  }
}
