//===--- LineCounter.swift - objects that cross a line --------------------===//
//
// An object crosses the line if the way from its last place beside the line to its place on the other
// side meets the segment.
//
// Contract  A place on the line is on no side. An object that was out of sight has moved straight. It is
//           forgotten after 300 frames out of sight. The same objects give the same counts.
// Cost      O(n) for each frame, for n objects.
//===----------------------------------------------------------------------===//

public import MartletImage

/// Counts tracked objects that cross a line, in each direction.
///
/// ```swift
/// import MartletImage
/// import MartletVision
///
/// func count(_ frames: [RGBImage], _ stream: ObjectStream) throws {
///   var door = LineCounter(from: Point(x: 0, y: 200), to: Point(x: 640, y: 200))
///   for frame in frames { door.update(try stream.objects(in: frame)) }
///   print(door.toTheRight, door.toTheLeft)
/// }
/// ```
public struct LineCounter: Sendable {
  /// An object that crossed the line.
  public struct Crossing: Sendable, Hashable {
    /// The object in the frame in which it is on the other side.
    public let object: DetectedObject
    /// Whether it moved to the right, for someone who looks from the line's start to its end.
    public let isToTheRight: Bool
  }

  /// The ends of the line, in pixels of the frame.
  public let start, end: Point
  /// The point of a box that crosses the line.
  public let anchor: BoxAnchor
  /// The number of crossings to the right, for someone who looks from the line's start to its end.
  public private(set) var toTheRight = 0
  /// The number of crossings to the left.
  public private(set) var toTheLeft = 0
  /// The latest place of each object that was not on the line.
  private var places = RecentTracks<Point>()

  /// A line between two points, in pixels of the frame.
  public init(from start: Point, to end: Point, anchor: BoxAnchor = .bottom) {
    (self.start, self.end, self.anchor) = (start, end, anchor)
  }

  /// Counts the objects of the next frame that crossed the line, and returns them. Objects without
  /// identifier are ignored.
  @discardableResult
  public mutating func update(_ objects: [DetectedObject]) -> [Crossing] {
    places.advance()
    var crossings: [Crossing] = []
    for object in objects {
      guard let id = object.trackingID else { continue }
      let place = anchor.point(of: object.frame)
      let side = place.side(from: start, to: end)
      guard side != 0, !side.isNaN else {
        // Keeps the last place in memory.
        places[id] = places[id]
        continue
      }
      defer { places[id] = place }
      guard let last = places[id], (last.side(from: start, to: end) > 0) != (side > 0),
        (start.side(from: last, to: place) > 0) != (end.side(from: last, to: place) > 0)
      else { continue }
      crossings.append(Crossing(object: object, isToTheRight: side > 0))
    }
    let right = crossings.count { $0.isToTheRight }
    toTheRight += right
    toTheLeft += crossings.count - right
    return crossings
  }
}

extension Point {
  /// Positive to the right of a directed line, negative to the left, 0 on it; y points down.
  fileprivate func side(from start: Point, to end: Point) -> Float {
    (end.x - start.x) * (y - start.y) - (end.y - start.y) * (x - start.x)
  }
}
