//===--- Gradient.swift - how steep a sample is, and which way ------------===//
//
// Contract  Directions are in eighteenths of a turn, 0..<18, with an error below 0.001.
// Cost      A square root and a division.
// Checked   Tests/MartletTrackingTests/GradientTests.swift
//===----------------------------------------------------------------------===//

/// The gradient of a sample's steepest colour channel.
struct Gradient {
  let magnitude: Float
  /// Eighteenths of a turn from x towards y.
  let direction: Float

  /// The gradient from differences along x and y of each channel.
  @inline(__always)
  init(_ dx: SIMD4<Float>, _ dy: SIMD4<Float>) {
    let square = dx * dx + dy * dy
    var channel = 0
    if square[1] > square[channel] { channel = 1 }
    if square[2] > square[channel] { channel = 2 }
    magnitude = square[channel].squareRoot()
    direction = Gradient.eighteenths(dx[channel], dy[channel])
  }

  /// The direction of (x, y) in eighteenths of a turn.
  @inline(__always)
  static func eighteenths(_ x: Float, _ y: Float) -> Float {
    let across = x.magnitude
    let down = y.magnitude
    let long = max(across, down)
    guard long > 0 else { return 0 }
    let slope = min(across, down) / long
    // An odd polynomial for the arc tangent on 0...1 (Abramowitz and Stegun 4.4.49), times 18 / 2π.
    let square = slope * slope
    var angle: Float = 0.0208351
    angle = angle * square - 0.0851330
    angle = angle * square + 0.1801410
    angle = angle * square - 0.3302995
    angle = (angle * square + 0.9998660) * slope * 2.864789
    if down > across { angle = 4.5 - angle }
    if x < 0 { angle = 9 - angle }
    if y < 0 { angle = 18 - angle }
    return angle < 18 ? angle : 0
  }
}
