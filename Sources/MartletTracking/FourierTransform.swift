//===--- FourierTransform.swift - discrete Fourier transform --------------===//
//
// Decimation in time by fours, the last step by twos where the length asks for it; many signals at
// once, one in each lane.
//
// Contract  X[k] = Σ x[n] · exp(-2πi·kn / N), without a factor; `inverse` has the other sign and
//           none either. Lengths are powers of two from 4. The factors come from half-angle
//           formulas, so they are the same on every machine.
// Order     Every output sums by the fixed butterfly network.
// Cost      N/2 · log2 N butterflies of ten operations for each lane.
// Checked   Tests/MartletTrackingTests/FourierTransformTests.swift, against the sum as defined
//===----------------------------------------------------------------------===//

/// The transform of signals of `length` complex samples, in separate arrays of real and imaginary
/// parts.
struct FourierTransform {
  typealias Samples = UnsafeMutablePointer<SIMD4<Float>>

  let length: Int
  /// Where each sample stands before the butterflies.
  let places: [Int]
  /// cos and sin of 2πk / length for the first half of the circle.
  private let cosines: [Float]
  private let sines: [Float]

  init(length: Int) {
    precondition(length > 3 && length & (length - 1) == 0, "the length is a power of two from 4")
    self.length = length
    let bits = length.trailingZeroBitCount
    places = (0..<length).map { index in
      (0..<bits).reduce(0) { $0 << 1 | (index >> $1) & 1 }
    }
    var circle: [(cosine: Double, sine: Double)] = [(1, 0), (-1, 0)]
    while circle.count < length {
      // The angle halfway to the next: half the angle of the sum's direction.
      let half = Double.cosineAndSine(ofHalf: circle[1 % circle.count])
      circle = circle.flatMap { point in
        [
          point,
          (
            point.cosine * half.cosine - point.sine * half.sine,
            point.sine * half.cosine + point.cosine * half.sine
          ),
        ]
      }
    }
    cosines = circle.prefix(length / 2).map { Float($0.cosine) }
    sines = circle.prefix(length / 2).map { Float($0.sine) }
  }

  /// Transforms samples in place: `chunks` times four signals, sample n of all of them from
  /// `places[n] · chunks` on; of the result, frequency k from `k · chunks`.
  func transform(_ real: Samples, _ imaginary: Samples, chunks: Int, inverse: Bool) {
    let signal = Signal(real: real, imaginary: imaginary, isInverse: inverse)
    let count = length &* chunks
    for start in stride(from: 0, to: count, by: 4 &* chunks) {
      for chunk in start..<(start &+ chunks) {
        signal.joinFour(chunk, step: chunks, .one, .one)
      }
    }
    var half = 4
    while 4 * half <= length {
      for k in 0..<half {
        let first = turn(k &* (length / (2 * half)), inverse)
        let second = turn(k &* (length / (4 * half)), inverse)
        for start in stride(from: k &* chunks, to: count, by: 4 &* half &* chunks) {
          for chunk in start..<(start &+ chunks) {
            signal.joinFour(chunk, step: half &* chunks, first, second)
          }
        }
      }
      half *= 4
    }
    guard 2 * half <= length else { return }
    for k in 0..<half {
      let turn = turn(k, inverse)
      for chunk in (k &* chunks)..<((k &+ 1) &* chunks) {
        signal.joinTwo(chunk, step: half &* chunks, turn)
      }
    }
  }

  @inline(__always)
  private func turn(_ index: Int, _ inverse: Bool) -> Turn {
    Turn(cosine: cosines[index], sine: inverse ? sines[index] : -sines[index])
  }
}

/// A complex number of length one.
private struct Turn {
  let cosine: Float
  let sine: Float

  static let one = Turn(cosine: 1, sine: 0)
}

/// The butterflies.
private struct Signal {
  let real: FourierTransform.Samples
  let imaginary: FourierTransform.Samples
  let isInverse: Bool

  private typealias Value = (real: SIMD4<Float>, imaginary: SIMD4<Float>)

  /// Joins two halves.
  @inline(__always)
  func joinTwo(_ index: Int, step: Int, _ turn: Turn) {
    let first = load(index)
    let second = load(index &+ step, turn)
    store(Signal.sum(first, second), index)
    store(Signal.difference(first, second), index &+ step)
  }

  /// Joins four quarters: the first two and the last two by the first turn, then the halves.
  @inline(__always)
  func joinFour(_ index: Int, step: Int, _ first: Turn, _ second: Turn) {
    let (a, b) = (load(index), load(index &+ step, first))
    let (c, d) = (load(index &+ 2 &* step), load(index &+ 3 &* step, first))
    let (upper, other) = (Signal.sum(a, b), Signal.difference(a, b))
    let lower = Signal.turned(Signal.sum(c, d), second)
    let rest = quarter(Signal.turned(Signal.difference(c, d), second))
    store(Signal.sum(upper, lower), index)
    store(Signal.sum(other, rest), index &+ step)
    store(Signal.difference(upper, lower), index &+ 2 &* step)
    store(Signal.difference(other, rest), index &+ 3 &* step)
  }

  @inline(__always)
  private func load(_ index: Int) -> Value { (real[index], imaginary[index]) }

  @inline(__always)
  private func load(_ index: Int, _ turn: Turn) -> Value { Signal.turned(load(index), turn) }

  @inline(__always)
  private func store(_ value: Value, _ index: Int) {
    real[index] = value.real
    imaginary[index] = value.imaginary
  }

  /// A quarter of a turn further.
  @inline(__always)
  private func quarter(_ value: Value) -> Value {
    isInverse ? (-value.imaginary, value.real) : (value.imaginary, -value.real)
  }

  @inline(__always)
  private static func turned(_ value: Value, _ turn: Turn) -> Value {
    (
      value.real * turn.cosine - value.imaginary * turn.sine,
      value.real * turn.sine + value.imaginary * turn.cosine
    )
  }

  @inline(__always)
  private static func sum(_ a: Value, _ b: Value) -> Value {
    (a.real + b.real, a.imaginary + b.imaginary)
  }

  @inline(__always)
  private static func difference(_ a: Value, _ b: Value) -> Value {
    (a.real - b.real, a.imaginary - b.imaginary)
  }
}

extension Double {
  /// cos and sin of half the angle of a point in the upper half of the unit circle.
  fileprivate static func cosineAndSine(
    ofHalf point: (cosine: Double, sine: Double)
  ) -> (cosine: Double, sine: Double) {
    (((1 + point.cosine) / 2).squareRoot(), ((1 - point.cosine) / 2).squareRoot())
  }
}
