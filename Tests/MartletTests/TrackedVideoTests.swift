import Foundation
import MartletSystem
import MartletTestSupport
import MartletVision
import Testing

@testable import Martlet

/// An apple rolls in front of a mug that slides the other way, and ends behind an orange.
@Suite struct TrackedVideoTests {
  private static func file(_ name: String) -> URL {
    Fixtures.folder("Videos").appending(path: name)
  }

  @Test(arguments: [1, 2, 4]) func linesAreTheSameForEveryWorkerCount(_ workers: Int) throws {
    let video = try Fixtures.bytes(of: Self.file("table.mjpeg"))
    let lines = try trackedLines(of: video, options: .init(workers: .pool(count: workers)))
    let bytes = lines.flatMap { Array(($0 + "\n").utf8) }
    #expect(try bytes == Fixtures.bytes(of: Self.file("table.jsonl")))
  }

  /// The identifiers of apple, mug and orange with up to five objects, with one, and with three
  /// user-provided ones; and the frames in which the hidden one may be missing.
  @Test(
    arguments: [(0, [2, 0, 1], 4), (1, [nil, 0, nil], 0), (2, [0, 1, 2], 0)]
      as [(Int, [Int?], Int)])
  func identifiersStayOnTheRenderedObjects(
    _ way: Int, _ identifiers: [Int?], _ missing: Int
  ) throws {
    struct Frame: Decodable {
      struct Object: Decodable {
        struct Frame: Decodable { let x, y, width, height: Float }
        let frame: Frame
        let trackingID: Int
      }
      let objects: [Object]
    }
    let boxes = try JSONDecoder().decode(
      [[[Float]]].self, from: Data(contentsOf: Self.file("table.json")))
    let lines = try Data(contentsOf: Self.file("table.jsonl")).split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 3 * boxes.count)
    var found = 0
    for (line, boxes) in zip(lines[(way * boxes.count)...], boxes) {
      for object in try JSONDecoder().decode(Frame.self, from: line).objects {
        let index = try #require(identifiers.firstIndex(of: object.trackingID))
        let (frame, box) = (object.frame, boxes[index])
        let overlap = Box(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
          .intersectionOverUnion(with: Box(x: box[0], y: box[1], width: box[2], height: box[3]))
        #expect(overlap > 0.5)
        found += 1
      }
    }
    #expect(found + missing == boxes.count * identifiers.compactMap(\.self).count)
  }
}
