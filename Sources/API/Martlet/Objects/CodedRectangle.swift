//===--- CodedRectangle.swift - rectangles as JSON ------------------------===//

import Foundation

/// A rectangle with the members `x`, `y`, `width` and `height`.
struct CodedRectangle: Codable {
  let x, y, width, height: CGFloat

  init(_ frame: CGRect) {
    (x, y) = (frame.origin.x, frame.origin.y)
    (width, height) = (frame.size.width, frame.size.height)
  }

  var frame: CGRect { CGRect(x: x, y: y, width: width, height: height) }
}
