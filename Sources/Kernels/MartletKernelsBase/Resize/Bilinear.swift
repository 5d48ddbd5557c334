//===--- Bilinear.swift - bilinear resizing loops -------------------------===//
//
// The innermost loops of RESIZE_BILINEAR: each output pixel is the weighted mean of four pixels,
// two in the row above its position and two in the row below.
//
// Contract  Bit-exact with the reference kernels. The output must not be the input's memory.
// Order     Upper left, lower left, upper right, lower right. If the depth is no multiple of the
//           lanes, the last vector overlaps the previous one; depths below one vector are processed
//           one by one.
// Cost      Eight products and three sums per vector.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32Bilinear(_ row: BilinearRow<Float, Float>) {
    let (above, below, depth) = (row.above, row.below, row.depth)
    for column in 0..<row.count {
      let place = row.columns[column]
      let blend = Blend(down: row.down, right: place.weight)
      let (p0, p1) = (above + place.lower, below + place.lower)
      let (p2, p3) = (above + place.upper, below + place.upper)
      let target = row.y + column &* depth
      guard depth >= Lanes.scalarCount else {
        for i in 0..<depth { target[i] = blend(p0[i], p1[i], p2[i], p3[i]) }
        continue
      }
      var i = 0
      while i < depth {
        let at = min(i, depth &- Lanes.scalarCount)
        store(blend(load(p0 + at), load(p1 + at), load(p2 + at), load(p3 + at)), to: target + at)
        i &+= Lanes.scalarCount
      }
    }
  }

  package static func uint8Bilinear(_ row: BilinearRow<UInt8, Float>) {
    let (above, below, depth) = (row.above, row.below, row.depth)
    for column in 0..<row.count {
      let place = row.columns[column]
      let blend = Blend(down: row.down, right: place.weight)
      let (p0, p1) = (above + place.lower, below + place.lower)
      let (p2, p3) = (above + place.upper, below + place.upper)
      let target = row.y + column &* depth
      guard depth >= Lanes.scalarCount else {
        for i in 0..<depth {
          let value = blend(Float(p0[i]), Float(p1[i]), Float(p2[i]), Float(p3[i]))
          target[i] = UInt8(min(max(value + 0.5, 0), 255))
        }
        continue
      }
      var i = 0
      while i < depth {
        let at = min(i, depth &- Lanes.scalarCount)
        let value = blend(
          floats(UnsignedBytes.load(p0 + at)), floats(UnsignedBytes.load(p1 + at)),
          floats(UnsignedBytes.load(p2 + at)), floats(UnsignedBytes.load(p3 + at)))
        let held = clamp(
          value + Lanes(repeating: 0.5), Lanes.zero, Lanes(repeating: 255))
        UnsignedBytes.store(integers(floored(held)), to: target + at)
        i &+= Lanes.scalarCount
      }
    }
  }

  package static func int8Bilinear(_ row: BilinearRow<Int8, Int32>) {
    let (above, below, depth) = (row.above, row.below, row.depth)
    for column in 0..<row.count {
      let place = row.columns[column]
      let blend = FixedBlend(down: row.down, right: place.weight)
      let (p0, p1) = (above + place.lower, below + place.lower)
      let (p2, p3) = (above + place.upper, below + place.upper)
      let target = row.y + column &* depth
      guard depth >= Sums.scalarCount else {
        for i in 0..<depth {
          target[i] = Int8(
            truncatingIfNeeded: blend(Int32(p0[i]), Int32(p1[i]), Int32(p2[i]), Int32(p3[i])))
        }
        continue
      }
      var i = 0
      while i < depth {
        let at = min(i, depth &- Sums.scalarCount)
        SignedBytes.store(
          blend(
            SignedBytes.load(p0 + at), SignedBytes.load(p1 + at), SignedBytes.load(p2 + at),
            SignedBytes.load(p3 + at)), to: target + at)
        i &+= Sums.scalarCount
      }
    }
  }
}

/// The weights of four pixels in single precision.
private struct Blend {
  let up: Float
  let down: Float
  let left: Float
  let right: Float

  @inline(__always)
  init(down: Float, right: Float) {
    self.down = down
    self.right = right
    up = 1 - down
    left = 1 - right
  }

  @inline(__always)
  func callAsFunction(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float {
    a * up * left + b * down * left + c * up * right + d * down * right
  }

  @inline(__always)
  func callAsFunction(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
    let first = a * Lanes(repeating: up) * Lanes(repeating: left)
    let second = b * Lanes(repeating: down) * Lanes(repeating: left)
    let third = c * Lanes(repeating: up) * Lanes(repeating: right)
    let fourth = d * Lanes(repeating: down) * Lanes(repeating: right)
    return first + second + third + fourth
  }
}

/// The weights of four pixels in units of 2⁻²⁰; sums of bytes fit in 31 bits.
private struct FixedBlend {
  let upLeft: Int32
  let downLeft: Int32
  let upRight: Int32
  let downRight: Int32

  @inline(__always)
  init(down: Int32, right: Int32) {
    upLeft = (1024 &- down) &* (1024 &- right)
    downLeft = down &* (1024 &- right)
    upRight = (1024 &- down) &* right
    downRight = down &* right
  }

  @inline(__always)
  func callAsFunction(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> Int32 {
    let sum = a &* upLeft &+ b &* downLeft &+ c &* upRight &+ d &* downRight
    return (sum &+ (sum > 0 ? 1 << 19 : -1 << 19)) / (1 << 20)
  }

  @inline(__always)
  func callAsFunction(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Sums {
    let left = a &* Sums(repeating: upLeft) &+ b &* Sums(repeating: downLeft)
    let right = c &* Sums(repeating: upRight) &+ d &* Sums(repeating: downRight)
    let sum = left &+ right
    let sign = sum &>> Sums(repeating: 31)
    let magnitude = (sum ^ sign) &- sign
    let rounded = (magnitude &+ Sums(repeating: 1 << 19)) &>> Sums(repeating: 20)
    return (rounded ^ sign) &- sign
  }
}
