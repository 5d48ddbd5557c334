//===--- Float32DynamicQuantize.swift - dynamic quantization --------------===//
//
// The range of floats, and their quantized values: round(x · inverse + zero point), clamped to
// -128...127.
//
// Contract  Bit-exact with `Reference.quantizeRows`: ties are rounded away from zero, and NaN
//           becomes the lowest value.
// Cost      One pass each.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32Range(
    _ x: UnsafePointer<Float>, count: Int, low: inout Float, high: inout Float
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

  package static func float32DynamicQuantize(
    _ x: UnsafePointer<Float>, count: Int, _ map: DynamicMap, into y: UnsafeMutablePointer<UInt8>
  ) {
    let map = LaneMap(map)
    let lanes = Lanes.scalarCount
    let top = Sums(repeating: 128)
    if count >= lanes {
      var i = 0
      while i < count {
        let place = min(i, count &- lanes)
        UnsignedBytes.store(map.quantized(load(x + place)) &+ top, to: y + place)
        i &+= lanes
      }
    } else {
      let values = map.quantized(load(x, count)) &+ top
      for i in 0..<count { y[i] = UInt8(truncatingIfNeeded: values[i]) }
    }
  }

  package static func float32DynamicRound(
    _ x: UnsafePointer<Float>, count: Int, _ map: DynamicMap, into y: UnsafeMutablePointer<Float>
  ) {
    let map = LaneMap(map)
    let lanes = Lanes.scalarCount
    if count >= lanes {
      var i = 0
      while i < count {
        let place = min(i, count &- lanes)
        store(floats(map.quantized(load(x + place))) - map.zeroPoint, to: y + place)
        i &+= lanes
      }
    } else {
      store(floats(map.quantized(load(x, count))) - map.zeroPoint, to: y, count)
    }
  }
}

private struct LaneMap {
  let inverse: Lanes
  let zeroPoint: Lanes

  @inline(__always)
  init(_ map: DynamicMap) {
    inverse = Lanes(repeating: map.inverse)
    zeroPoint = Lanes(repeating: map.zeroPoint)
  }

  @inline(__always)
  func quantized(_ x: Lanes) -> Sums {
    let raised = greatest(x * inverse + zeroPoint, Lanes(repeating: -128))
    return nearest(least(raised, Lanes(repeating: 127)))
  }
}

/// Loads the first `count` lanes of a partial vector; the others are zero.
@inline(__always)
private func load(_ p: UnsafePointer<Float>, _ count: Int) -> Lanes {
  var vector = Lanes.zero
  for lane in 0..<count { vector[lane] = p[lane] }
  return vector
}
