//===--- ZoneCounter.swift - objects inside a polygon ---------------------===//
//
// Contract  Even-odd rule. An object that is lost inside is not inside, and has not left: if it returns
//           within 300 frames, its last place counts. The same objects give the same counts.
// Cost      O(n · m) for each frame, for n objects and m corners.
//===----------------------------------------------------------------------===//

public import MartletImage

/// Counts tracked objects inside a polygon, and those that enter and leave it.
///
/// ```swift
/// import MartletImage
/// import MartletVision
///
/// func watch(_ frames: [RGBImage], _ stream: ObjectStream, corners: [Point]) throws {
///   var zone = ZoneCounter(corners)
///   for frame in frames {
///     print(zone.update(try stream.objects(in: frame)).count, zone.entered, zone.left)
///   }
/// }
/// ```
public struct ZoneCounter: Sendable {
  /// The corners of the polygon in their order, in pixels of the frame. Fewer than three enclose nothing.
  public let corners: [Point]
  /// The point of a box that is inside or outside.
  public let anchor: BoxAnchor
  /// The number of times that an object was first seen inside, or came in.
  public private(set) var entered = 0
  /// The number of times that an object went out in sight.
  public private(set) var left = 0
  /// Whether each object was inside.
  private var states = RecentTracks<Bool>()

  /// A zone with these corners, in pixels of the frame.
  public init(_ corners: [Point], anchor: BoxAnchor = .bottom) {
    (self.corners, self.anchor) = (corners, anchor)
  }

  /// Counts the objects of the next frame, and returns those inside. Objects without identifier are
  /// returned, but neither enter nor leave.
  @discardableResult
  public mutating func update(_ objects: [DetectedObject]) -> [DetectedObject] {
    states.advance()
    return objects.filter { object in
      let isInside = contains(anchor.point(of: object.frame))
      if let id = object.trackingID {
        let wasInside = states[id] ?? false
        if isInside && !wasInside { entered += 1 }
        if wasInside && !isInside { left += 1 }
        states[id] = isInside
      }
      return isInside
    }
  }

  private func contains(_ point: Point) -> Bool {
    var isInside = false
    var previous = corners.last
    for corner in corners {
      if let previous, (corner.y > point.y) != (previous.y > point.y),
        point.x - corner.x
          < (previous.x - corner.x) * (point.y - corner.y) / (previous.y - corner.y)
      {
        isInside.toggle()
      }
      previous = corner
    }
    return isInside
  }
}
