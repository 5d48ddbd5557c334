//===--- Gradient.swift - gradients of samples ----------------------------===//
//
// Contract  Directions are in eighteenths of a turn, 0..<18, with an error below 0.001.
// Cost      A square root and a division for four samples.
// Checked   Tests/MartletTrackingTests/GradientTests.swift
//===----------------------------------------------------------------------===//

/// The gradients of four samples, each in its steepest colour channel.
struct Gradient {
  let magnitude: SIMD4<Float>
  /// Eighteenths of a turn from x towards y.
  let direction: SIMD4<Float>

  /// The gradients from differences along x and y, red, green and blue apart.
  @inline(__always)
  init(_ dx: Channels, _ dy: Channels) {
    let red = dx.red * dx.red + dy.red * dy.red
    let green = dx.green * dx.green + dy.green * dy.green
    let blue = dx.blue * dx.blue + dy.blue * dy.blue
    let isGreen = (red - green).signs
    let either = red.or(green, where: isGreen)
    let isBlue = (either - blue).signs
    let square = either.or(blue, where: isBlue)
    magnitude = square.squareRoot()
    direction = Gradient.eighteenths(
      dx.red.or(dx.green, where: isGreen).or(dx.blue, where: isBlue),
      dy.red.or(dy.green, where: isGreen).or(dy.blue, where: isBlue))
  }

  /// The channels of four samples.
  struct Channels {
    let red: SIMD4<Float>
    let green: SIMD4<Float>
    let blue: SIMD4<Float>

    @inline(__always)
    init(
      _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, _ fourth: SIMD4<Float>
    ) {
      red = SIMD4(first[0], second[0], third[0], fourth[0])
      green = SIMD4(first[1], second[1], third[1], fourth[1])
      blue = SIMD4(first[2], second[2], third[2], fourth[2])
    }
  }

  /// The directions of (x, y) in eighteenths of a turn; 0 for none.
  @inline(__always)
  static func eighteenths(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> SIMD4<Float> {
    let across = x.magnitudes
    let down = y.magnitudes
    let isSteep = (across - down).signs
    let long = across.or(down, where: isSteep)
    // What is added is lost in any number but 0.
    let slope = down.or(across, where: isSteep) / (long + 1e-30)
    // An odd polynomial for the arc tangent on 0...1 (Abramowitz and Stegun 4.4.49), times 18 / 2π.
    let square = slope * slope
    var angle = square * 0.0208351 - 0.0851330
    angle = angle * square + 0.1801410
    angle = angle * square - 0.3302995
    angle = (angle * square + 0.9998660) * slope * 2.864789
    angle = angle.or(4.5 - angle, where: isSteep)
    angle = angle.or(9 - angle, where: x.signs)
    angle = angle.or(18 - angle, where: y.signs)
    return SIMD4.zero.or(angle, where: (angle - 18).signs)
  }
}
