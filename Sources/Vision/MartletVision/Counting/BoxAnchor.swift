//===--- BoxAnchor.swift - the point that stands for a box ----------------===//

public import MartletImage

/// The point of a box that decides where an object is.
@nonexhaustive
public enum BoxAnchor: Sendable, Hashable, CaseIterable {
  /// The center, for cameras that look down.
  case center
  /// The center of the lower edge, where people stand and vehicles touch the road.
  case bottom

  /// The point of `box`, in the same coordinates.
  public func point(of box: Box) -> Point {
    switch self {
    case .center: box.center
    case .bottom: Point(x: box.center.x, y: box.maxY)
    }
  }
}
