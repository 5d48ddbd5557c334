//===--- VP8EdgeFilter.swift - filters across edges -----------------------===//
//
// Filters 16 places of an edge at once. The samples of a place are p3 p2 p1 p0 | q0 q1 q2 q3
// (RFC 6386, sections 15.2 and 15.3).
//===----------------------------------------------------------------------===//

/// The kinds of filters.
enum VP8EdgeKind {
  case simple, macroblock, subblock
}

/// Eight samples across an edge, at 16 places.
struct VP8Edge {
  typealias Samples = SIMD16<UInt8>
  typealias Numbers = SIMD16<Int16>

  var p3 = Samples(), p2 = Samples(), p1 = Samples(), p0 = Samples()
  var q0 = Samples(), q1 = Samples(), q2 = Samples(), q3 = Samples()

  /// Filters the samples next to the edge if these differ little.
  @inline(__always) mutating func filterSimply(_ strength: VP8FilterStrength) {
    let isActive = Self.numbers(edgeMask(strength.edge))
    adjust((3 &* (q0.signed &- p0.signed) &+ outer).limitedToSignedBytes & isActive)
  }

  /// Filters an edge between macroblocks: up to three samples on either side change.
  @inline(__always)
  mutating func filterMacroblock(_ strength: VP8FilterStrength) {
    let mask = edgeMask(strength.edge) & interiorMask(strength.interior)
    guard Self.isAnySet(mask) else { return }
    let highVariance = Self.numbers(highVarianceMask(strength.highVariance))
    let change =
      (3 &* (q0.signed &- p0.signed) &+ outer).limitedToSignedBytes & Self.numbers(mask)
    let smooth = change & ~highVariance
    let near = (27 &* smooth &+ 63) &>> 7
    let middle = (18 &* smooth &+ 63) &>> 7
    let far = (9 &* smooth &+ 63) &>> 7
    p2 = (p2.signed &+ far).limitedToBytes
    q2 = (q2.signed &- far).limitedToBytes
    p1 = (p1.signed &+ middle).limitedToBytes
    q1 = (q1.signed &- middle).limitedToBytes
    // Of `near` and the change for a high variance, one is zero.
    let (toP, toQ) = Self.halves(change & highVariance)
    p0 = (p0.signed &+ near &+ toP).limitedToBytes
    q0 = (q0.signed &- near &- toQ).limitedToBytes
  }

  /// Filters an edge inside a macroblock: up to two samples on either side change.
  @inline(__always)
  mutating func filterSubblock(_ strength: VP8FilterStrength) {
    let mask = edgeMask(strength.edge) & interiorMask(strength.interior)
    guard Self.isAnySet(mask) else { return }
    let highVariance = Self.numbers(highVarianceMask(strength.highVariance))
    let change =
      (3 &* (q0.signed &- p0.signed) &+ outer & highVariance).limitedToSignedBytes
      & Self.numbers(mask)
    let toQ = adjust(change)
    let far = ((toQ &+ 1) &>> 1) & ~highVariance
    p1 = (p1.signed &+ far).limitedToBytes
    q1 = (q1.signed &- far).limitedToBytes
  }

  /// Applies a change to the samples next to the edge; returns the part of q0.
  @inline(__always) @discardableResult private mutating func adjust(_ change: Numbers) -> Numbers {
    let (toP, toQ) = Self.halves(change)
    p0 = (p0.signed &+ toP).limitedToBytes
    q0 = (q0.signed &- toQ).limitedToBytes
    return toQ
  }

  /// An eighth of the change for either side, rounded differently.
  @inline(__always) private static func halves(_ change: Numbers) -> (p: Numbers, q: Numbers) {
    ((change &+ 3).atMost(127) &>> 3, (change &+ 4).atMost(127) &>> 3)
  }

  /// The difference of the outer samples.
  @inline(__always) private var outer: Numbers {
    (p1.signed &- q1.signed).limitedToSignedBytes
  }

  /// Bytes of a mask as numbers of the same bits.
  @inline(__always) private static func numbers(_ mask: Samples) -> Numbers {
    unsafe unsafeBitCast(mask.interleaved(with: mask), to: Numbers.self)
  }

  @inline(__always) private static func isAnySet(_ mask: Samples) -> Bool {
    let halves = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    return halves.x | halves.y != 0
  }

  @inline(__always) private static func difference(_ a: Samples, _ b: Samples) -> Samples {
    a.replacing(with: b, where: a .< b) &- a.replacing(with: b, where: a .> b)
  }

  @inline(__always) private static func larger(_ a: Samples, _ b: Samples) -> Samples {
    a.replacing(with: b, where: a .< b)
  }

  /// All ones where `2 |p0 - q0| + |p1 - q1| / 2` is at most `limit`.
  @inline(__always) private func edgeMask(_ limit: UInt8) -> Samples {
    // A difference of 128 or more exceeds every limit, and so does 127 twice.
    let near = Self.difference(p0, q0)
    let most = Samples(repeating: 127)
    let nearTwice = near.replacing(with: most, where: near .> most) &<< 1
    let half = Self.difference(p1, q1) &>> 1
    let sum = nearTwice &+ half
    let limited = sum.replacing(with: Samples(repeating: 255), where: sum .< half)
    return Samples.zero.replacing(with: 255, where: limited .<= Samples(repeating: limit))
  }

  /// All ones where neighbors on both sides differ by at most `limit`.
  @inline(__always) private func interiorMask(_ limit: UInt8) -> Samples {
    let p = Self.larger(Self.difference(p3, p2), Self.difference(p2, p1))
    let q = Self.larger(Self.difference(q3, q2), Self.difference(q2, q1))
    let inner = Self.larger(Self.difference(p1, p0), Self.difference(q1, q0))
    let most = Self.larger(Self.larger(p, q), inner)
    return Samples.zero.replacing(with: 255, where: most .<= Samples(repeating: limit))
  }

  /// All ones where the samples next to the edge differ from their neighbors by more than `limit`.
  @inline(__always) private func highVarianceMask(_ limit: UInt8) -> Samples {
    let most = Self.larger(Self.difference(p1, p0), Self.difference(q1, q0))
    return Samples.zero.replacing(with: 255, where: most .> Samples(repeating: limit))
  }
}
