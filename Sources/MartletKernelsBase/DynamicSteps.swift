//===--- DynamicSteps.swift - floats to steps while a graph runs ----------===//
//
// The range of some floats, and what they are in steps: round(x · inverse + zero point), held within
// -128...127.
//
// Contract  Bit for bit `Reference.quantizeRows`: ties are rounded away from zero, and NaN becomes
//           the lowest step.
// Cost      One pass each.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// Widens a range so that all of `count` floats are within.
  package static func float32Range(
    _ x: UnsafePointer<Float>, count: Int, _ low: inout Float, _ high: inout Float
  ) {
    let lanes = Lanes.scalarCount
    if count >= lanes {
      var lows = Lanes(repeating: low)
      var highs = Lanes(repeating: high)
      var i = 0
      while i < count {
        let x: Lanes = load(x + min(i, count &- lanes))
        lows = least(x, lows)
        highs = greatest(x, highs)
        i &+= lanes
      }
      for lane in 0..<lanes {
        low = lows[lane] < low ? lows[lane] : low
        high = highs[lane] > high ? highs[lane] : high
      }
    } else {
      for i in 0..<count {
        low = x[i] < low ? x[i] : low
        high = x[i] > high ? x[i] : high
      }
    }
  }

  /// Writes `count` steps as unsigned bytes, each 128 more than it is.
  package static func byteSteps(
    _ x: UnsafePointer<Float>, count: Int, inverse: Float, zeroPoint: Float,
    _ y: UnsafeMutablePointer<UInt8>
  ) {
    let map = StepMap(inverse: inverse, zeroPoint: zeroPoint)
    let lanes = Lanes.scalarCount
    let top = Sums(repeating: 128)
    if count >= lanes {
      var i = 0
      while i < count {
        let place = min(i, count &- lanes)
        UnsignedBytes.store(map.steps(load(x + place)) &+ top, to: y + place)
        i &+= lanes
      }
    } else {
      let steps = map.steps(load(x, count)) &+ top
      for i in 0..<count { y[i] = UInt8(truncatingIfNeeded: steps[i]) }
    }
  }

  /// Writes `count` steps less the zero point, as floats.
  package static func wholeSteps(
    _ x: UnsafePointer<Float>, count: Int, inverse: Float, zeroPoint: Float,
    _ y: UnsafeMutablePointer<Float>
  ) {
    let map = StepMap(inverse: inverse, zeroPoint: zeroPoint)
    let lanes = Lanes.scalarCount
    if count >= lanes {
      var i = 0
      while i < count {
        let place = min(i, count &- lanes)
        store(floats(map.steps(load(x + place))) - map.zeroPoint, to: y + place)
        i &+= lanes
      }
    } else {
      store(floats(map.steps(load(x, count))) - map.zeroPoint, to: y, count)
    }
  }
}

private struct StepMap {
  let inverse: Lanes
  let zeroPoint: Lanes

  @inline(__always)
  init(inverse: Float, zeroPoint: Float) {
    self.inverse = Lanes(repeating: inverse)
    self.zeroPoint = Lanes(repeating: zeroPoint)
  }

  @inline(__always)
  func steps(_ x: Lanes) -> Sums {
    let raised = greatest(x * inverse + zeroPoint, Lanes(repeating: -128))
    return nearest(least(raised, Lanes(repeating: 127)))
  }
}

/// The first `count` lanes of a vector that is not all there.
@inline(__always)
private func load(_ p: UnsafePointer<Float>, _ count: Int) -> Lanes {
  var vector = Lanes.zero
  for lane in 0..<count { vector[lane] = p[lane] }
  return vector
}
