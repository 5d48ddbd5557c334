//===--- Float32Gradients.swift - image gradients -------------------------===//
//
// Central differences along x and y of the channel with the steepest gradient, converted to a
// magnitude and a direction.
//
// Contract  Directions are in eighteenths of a turn from x towards y, with an error below 0.001; 0
//           without a gradient. Of two equally steep channels the first counts. Lanes are selected
//           by sign bits, so -0 counts as negative.
// Order     One sample per lane, without fused multiply-add.
// Cost      One square root and one division per vector of samples.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32Gradients(_ row: Float32Gradients) {
    var x = 0
    while x < row.count {
      let sample = row.samples + 4 &* x
      let below = 4 &* row.stride
      let gradient = Gradient(
        Differences(from: sample - 4, to: sample + 4),
        Differences(from: sample - below, to: sample + below))
      // Adding 1.5 · 2²³ leaves the nearest whole number in the lowest bits.
      let shifted = gradient.direction - 0.5 + 12_582_912
      let share = gradient.direction - (shifted - 12_582_912)
      store(unsafeBitCast(shifted, to: Sums.self) & 31, to: row.directions + x)
      store(gradient.magnitude * (1 - share), to: row.shares + x)
      store(gradient.magnitude * share, to: row.nextShares + x)
      x &+= Lanes.scalarCount
    }
  }
}

/// The differences of two sets of samples, per channel.
private struct Differences {
  let red, green, blue: Lanes

  @inline(__always)
  init(from: UnsafePointer<Float>, to: UnsafePointer<Float>) {
    // Each part of a vector has four samples: their first channels, then their second channels, and
    // so on.
    @inline(__always) func difference(_ place: Int) -> ShortLanes {
      let low: Lanes = joined { part in load(from + 4 &* (4 &* part &+ place)) }
      let high: Lanes = joined { part in load(to + 4 &* (4 &* part &+ place)) }
      return unsafeBitCast(high - low, to: ShortLanes.self)
    }
    let (a, b) = interleavePairs(difference(0), difference(1))
    let (c, d) = interleavePairs(difference(2), difference(3))
    let (red, green) = interleaveFours(a, c)
    self.red = unsafeBitCast(red, to: Lanes.self)
    self.green = unsafeBitCast(green, to: Lanes.self)
    blue = unsafeBitCast(interleaveFours(b, d).low, to: Lanes.self)
  }
}

/// The gradients of a vector of samples.
private struct Gradient {
  let magnitude: Lanes
  let direction: Lanes

  @inline(__always)
  init(_ dx: Differences, _ dy: Differences) {
    let red = dx.red * dx.red + dy.red * dy.red
    let green = dx.green * dx.green + dy.green * dy.green
    let blue = dx.blue * dx.blue + dy.blue * dy.blue
    let isGreen = signs(red - green)
    let either = choose(red, green, isGreen)
    let isBlue = signs(either - blue)
    magnitude = squareRoot(choose(either, blue, isBlue))
    direction = eighteenths(
      choose(choose(dx.red, dx.green, isGreen), dx.blue, isBlue),
      choose(choose(dy.red, dy.green, isGreen), dy.blue, isBlue))
  }
}

/// The directions of vectors (x, y) in eighteenths of a turn.
@inline(__always)
private func eighteenths(_ x: Lanes, _ y: Lanes) -> Lanes {
  let across = magnitudes(x)
  let down = magnitudes(y)
  let isSteep = signs(across - down)
  let long = choose(across, down, isSteep)
  // The added constant only matters if the number is 0.
  let slope = choose(down, across, isSteep) / (long + 1e-30)
  // An odd polynomial for the arc tangent on 0...1 (Abramowitz and Stegun 4.4.49), times 18 / 2π.
  let square = slope * slope
  var angle = square * 0.0208351 - 0.0851330
  angle = angle * square + 0.1801410
  angle = angle * square - 0.3302995
  angle = (angle * square + 0.9998660) * slope * 2.864789
  angle = choose(angle, 4.5 - angle, isSteep)
  angle = choose(angle, 9 - angle, signs(x))
  angle = choose(angle, 18 - angle, signs(y))
  // A whole turn is direction 0.
  return choose(.zero, angle, signs(angle - 18))
}

/// All bits set in negative lanes, none in the others.
@inline(__always)
private func signs(_ x: Lanes) -> Sums { unsafeBitCast(x, to: Sums.self) &>> 31 }

/// The lanes of `x`, or of `y` if `signs` is set.
@inline(__always)
private func choose(_ x: Lanes, _ y: Lanes, _ signs: Sums) -> Lanes {
  let (x, y) = (unsafeBitCast(x, to: Sums.self), unsafeBitCast(y, to: Sums.self))
  return unsafeBitCast(x ^ ((x ^ y) & signs), to: Lanes.self)
}

/// The absolute values.
@inline(__always)
private func magnitudes(_ x: Lanes) -> Lanes {
  unsafeBitCast(unsafeBitCast(x, to: Sums.self) & 0x7FFF_FFFF, to: Lanes.self)
}
