//===--- Float32Fourier.swift - Fourier transforms ------------------------===//
//
// Decimation in time in steps of radix four, with a last step of radix two if the length requires
// it; one signal per lane.
//
// Contract  X[k] = Σ x[n] · exp(-2πi·kn / N), without normalization; the inverse has the opposite
//           sign and no normalization either.
// Order     Every output is summed by the same butterfly network, without fused
//           multiply-add.
// Cost      N/2 · log2 N butterflies of ten operations per lane.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32Fourier(_ arguments: Float32Fourier) {
    let network = Network(arguments)
    if arguments.signals % Lanes.scalarCount == 0 {
      network.transform(Lanes.self) { -$0 }
    } else {
      network.transform(SIMD4<Float>.self) { -$0 }
    }
  }
}

/// A complex number of length one.
private struct Turn {
  let cosine: Float
  let sine: Float
}

/// The butterflies of a transform.
private struct Network {
  let real: UnsafeMutablePointer<Float>
  let imaginary: UnsafeMutablePointer<Float>
  let length: Int
  let signals: Int
  let cosines: UnsafePointer<Float>
  let sines: UnsafePointer<Float>
  let isInverse: Bool

  init(_ arguments: Float32Fourier) {
    real = arguments.real
    imaginary = arguments.imaginary
    length = arguments.length
    signals = arguments.signals
    cosines = arguments.cosines
    sines = arguments.sines
    isInverse = arguments.isInverse
  }

  @inline(__always)
  private func turn(_ index: Int) -> Turn {
    Turn(cosine: cosines[index], sine: isInverse ? sines[index] : -sines[index])
  }

  /// Transforms as many signals at a time as the vector has lanes.
  @inline(__always)
  func transform<V: SIMD>(_ vector: V.Type, _ negated: (V) -> V)
  where V.Scalar == Float {
    let count = length &* signals
    let one = Turn(cosine: 1, sine: 0)
    var start = 0
    while start < count {
      joinFour(vector, start, signals, one, one, negated)
      start &+= 4 &* signals
    }
    var half = 4
    while 4 &* half <= length {
      for k in 0..<half {
        let first = turn(k &* (length / (2 &* half)))
        let second = turn(k &* (length / (4 &* half)))
        var start = k &* signals
        while start < count {
          joinFour(vector, start, half &* signals, first, second, negated)
          start &+= 4 &* half &* signals
        }
      }
      half &*= 4
    }
    guard 2 &* half <= length else { return }
    for k in 0..<half {
      joinTwo(vector, k &* signals, half &* signals, turn(k))
    }
  }

  /// Combines two halves of all signals, at `start` and `step` after it.
  @inline(__always)
  private func joinTwo<V: SIMD>(_ vector: V.Type, _ start: Int, _ step: Int, _ turn: Turn)
  where V.Scalar == Float {
    var i = start
    while i < start &+ signals {
      let (a, b): (V, V) = (load(real + i), load(imaginary + i))
      let (c, d): (V, V) = turned(load(real + (i &+ step)), load(imaginary + (i &+ step)), turn)
      store(a + c, to: real + i)
      store(b + d, to: imaginary + i)
      store(a - c, to: real + (i &+ step))
      store(b - d, to: imaginary + (i &+ step))
      i &+= V.scalarCount
    }
  }

  /// Combines four quarters: the first two and the last two with the first turn, then both halves.
  @inline(__always)
  private func joinFour<V: SIMD>(
    _ vector: V.Type, _ start: Int, _ step: Int, _ first: Turn, _ second: Turn,
    _ negated: (V) -> V
  ) where V.Scalar == Float {
    var i = start
    while i < start &+ signals {
      let (j, k, l) = (i &+ step, i &+ 2 &* step, i &+ 3 &* step)
      let a: (V, V) = (load(real + i), load(imaginary + i))
      let b: (V, V) = turned(load(real + j), load(imaginary + j), first)
      let c: (V, V) = (load(real + k), load(imaginary + k))
      let d: (V, V) = turned(load(real + l), load(imaginary + l), first)
      let upper = (a.0 + b.0, a.1 + b.1)
      let other = (a.0 - b.0, a.1 - b.1)
      let lower = turned(c.0 + d.0, c.1 + d.1, second)
      let rest = turned(c.0 - d.0, c.1 - d.1, second)
      // Rotates by a further quarter turn.
      let quarter = isInverse ? (negated(rest.1), rest.0) : (rest.1, negated(rest.0))
      store(upper.0 + lower.0, to: real + i)
      store(upper.1 + lower.1, to: imaginary + i)
      store(other.0 + quarter.0, to: real + j)
      store(other.1 + quarter.1, to: imaginary + j)
      store(upper.0 - lower.0, to: real + k)
      store(upper.1 - lower.1, to: imaginary + k)
      store(other.0 - quarter.0, to: real + l)
      store(other.1 - quarter.1, to: imaginary + l)
      i &+= V.scalarCount
    }
  }

  @inline(__always)
  private func turned<V: SIMD>(_ real: V, _ imaginary: V, _ turn: Turn) -> (V, V)
  where V.Scalar == Float {
    (
      real * turn.cosine - imaginary * turn.sine, real * turn.sine + imaginary * turn.cosine
    )
  }
}
