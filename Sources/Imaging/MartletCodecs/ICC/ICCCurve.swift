//===--- ICCCurve.swift - tone curves of a color profile ------------------===//
//
// A curve maps a device value to light, both 0 to 1: a power, samples that are interpolated, or one
// of the five functions of ICC.1:2022, table 68.
//
// Contract  Results are -8 to 8 for every value of 0 to 1, whatever the parameters.
// Source    ICC.1:2022 (ISO 15076-1), sections 10.6 and 10.18
//===----------------------------------------------------------------------===//

import enum MartletBase.VectorMath

/// A tone curve.
enum ICCCurve: Equatable {
  /// Values at equal distances, two or more.
  case samples([UInt16])
  /// (a x + b)^gamma + e from d on, c x + f below.
  case parametric(gamma: Float, a: Float, b: Float, c: Float, d: Float, e: Float, f: Float)

  /// Reads the curve at `offset` of a profile; `nil` if it is damaged or of an unknown type.
  init?(_ bytes: [UInt8], at offset: Int) {
    switch bytes.uint32(at: offset, .big) {
    case ICCProfile.signature("curv"): self.init(samplesIn: bytes, at: offset)
    case ICCProfile.signature("para"): self.init(parametersIn: bytes, at: offset)
    default: return nil
    }
  }

  private init?(samplesIn bytes: [UInt8], at offset: Int) {
    guard let count = bytes.uint32(at: offset + 8, .big).flatMap({ Int(exactly: $0) }),
      count <= (bytes.count - offset - 12) / 2
    else { return nil }
    let samples = (0..<count).map { UInt16(bytes.uint16(at: offset + 12 + 2 * $0, .big) ?? 0) }
    switch count {
    case 0: self = .power(1)
    case 1: self = .power(Float(samples[0]) / 256)
    default: self = .samples(samples)
    }
  }

  private init?(parametersIn bytes: [UInt8], at offset: Int) {
    let counts = [1, 3, 4, 5, 7]
    guard let type = bytes.uint16(at: offset + 8, .big), type < counts.count else { return nil }
    let values = (0..<counts[type]).compactMap {
      bytes.fixed(at: offset + 12 + 4 * $0).map { Float($0) }
    }
    guard values.count == counts[type] else { return nil }
    switch type {
    case 0: self = .power(values[0])
    case 1, 2:
      let e = type == 2 ? values[3] : 0
      self = .parametric(
        gamma: values[0], a: values[1], b: values[2], c: 0, d: -values[2] / values[1], e: e, f: e)
    default:
      self = .parametric(
        gamma: values[0], a: values[1], b: values[2], c: values[3], d: values[4],
        e: type == 4 ? values[5] : 0, f: type == 4 ? values[6] : 0)
    }
  }

  private static func power(_ gamma: Float) -> ICCCurve {
    .parametric(gamma: gamma, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0)
  }

  /// The light of a device value from 0 to 1.
  func light(_ x: Float) -> Float {
    let light: Float
    switch self {
    case .samples(let samples):
      let place = x * Float(samples.count - 1)
      let index = min(Int(place), samples.count - 2)
      let (low, high) = (Float(samples[index]), Float(samples[index + 1]))
      light = (low + (high - low) * (place - Float(index))) / 65535
    case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
      light = x >= d ? VectorMath.pow(a * x + b, gamma) + e : c * x + f
    }
    return light.isNaN ? 0 : min(max(light, -8), 8)
  }
}
