//===--- WindowFunction.swift - window functions --------------------------===//
//
// Contract  Uses only arithmetic and square roots, so results are the same on every machine.
//===----------------------------------------------------------------------===//

/// Window functions along one axis.
enum WindowFunction {
  /// Hann's window of `count` samples without its two zeros: sin² of the position.
  static func hann(_ count: Int) -> [Float] {
    // The recurrence of cos: c[n + 1] = 2 · cos(step) · c[n] - c[n - 1].
    let step = 2 * Double.pi / Double(count + 1)
    let first = cosine(step)
    var before = 1.0
    var current = first
    return (0..<count).map { _ in
      let value = Float(0.5 - 0.5 * current)
      (before, current) = (current, 2 * first * current - before)
      return value
    }
  }

  /// The products of two Hann windows, row by row.
  static func square(_ count: Int) -> [Float] {
    let profile = hann(count)
    return profile.flatMap { row in profile.map { row * $0 } }
  }

  /// cos² over the given width around the center of `count` samples, zero outside.
  static func raisedCosine(_ count: Int, width: Float) -> [Float] {
    (0..<count).map { index in
      let distance = (Double(index) + 0.5 - Double(count) / 2).magnitude / Double(width) * 2
      guard distance < 1 else { return 0 }
      return Float(0.5 + 0.5 * cosine(distance * .pi))
    }
  }

  /// exp(-d² / (2 · deviation²)) at the distances d from sample 0 around a circle of `count`
  /// samples.
  static func gaussian(_ count: Int, deviation: Float) -> [Float] {
    (0..<count).map { index in
      let distance = Double(min(index, count - index)) / Double(deviation)
      return Float(exponential(-distance * distance / 2))
    }
  }

  /// cos of an angle between 0 and 2π, by its series around a quarter of the angle.
  private static func cosine(_ angle: Double) -> Double {
    let square = angle / 16 * angle
    var value = 1 - square / 56 * (1 - square / 90)
    value = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * value))
    for _ in 0..<2 { value = 2 * value * value - 1 }
    return value
  }

  /// eˣ for x ≤ 0, as (1 + x/1024 + x²/(2·1024²)) squared ten times; zero up to -700.
  private static func exponential(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    let part = x / 1024
    var value = 1 + part * (1 + part / 2)
    for _ in 0..<10 { value *= value }
    return value
  }
}
