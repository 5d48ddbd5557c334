//===--- VP8EdgeMemory.swift - edges in planes ----------------------------===//
//
// The 16 places of an edge are loaded from a row of samples (a horizontal edge) or from 16 rows (a
// vertical edge), in which case the 8 x 16 samples are transposed. An edge of chroma has 8 places
// in each of two planes.
//===----------------------------------------------------------------------===//

/// The places of an edge: the first q0 of places 0 to 7 and of places 8 to 15, which are in rows
/// `stride` apart. Four samples on either side of each place must be in memory.
@safe struct VP8EdgePlaces {
  let first, second: UnsafeMutablePointer<UInt8>
  let stride: Int

  /// Filters a horizontal edge between samples of one column.
  @inline(never) func filterHorizontal(_ kind: VP8EdgeKind, _ strength: VP8FilterStrength) {
    switch kind {
    case .simple: updateHorizontal { $0.filterSimply(strength) }
    case .macroblock: updateHorizontal { $0.filterMacroblock(strength) }
    case .subblock: updateHorizontal { $0.filterSubblock(strength) }
    }
  }

  /// Filters a vertical edge between samples of one row.
  @inline(never) func filterVertical(_ kind: VP8EdgeKind, _ strength: VP8FilterStrength) {
    switch kind {
    case .simple: updateVertical { $0.filterSimply(strength) }
    case .macroblock: updateVertical { $0.filterMacroblock(strength) }
    case .subblock: updateVertical { $0.filterSubblock(strength) }
    }
  }

  @inline(__always) private func updateHorizontal(_ body: (inout VP8Edge) -> Void) {
    var edge = VP8Edge()
    edge.p3 = row(-4)
    edge.p2 = row(-3)
    edge.p1 = row(-2)
    edge.p0 = row(-1)
    edge.q0 = row(0)
    edge.q1 = row(1)
    edge.q2 = row(2)
    edge.q3 = row(3)
    body(&edge)
    store(edge.p2, -3)
    store(edge.p1, -2)
    store(edge.p0, -1)
    store(edge.q0, 0)
    store(edge.q1, 1)
    store(edge.q2, 2)
  }

  @inline(__always) private func row(_ y: Int) -> SIMD16<UInt8> {
    unsafe SIMD16(
      lowHalf: UnsafeRawPointer(first + y &* stride).loadUnaligned(as: SIMD8<UInt8>.self),
      highHalf: UnsafeRawPointer(second + y &* stride).loadUnaligned(as: SIMD8<UInt8>.self))
  }

  @inline(__always) private func store(_ samples: SIMD16<UInt8>, _ y: Int) {
    unsafe UnsafeMutableRawPointer(first + y &* stride).storeBytes(
      of: samples.lowHalf, as: SIMD8<UInt8>.self)
    unsafe UnsafeMutableRawPointer(second + y &* stride).storeBytes(
      of: samples.highHalf, as: SIMD8<UInt8>.self)
  }

  @inline(__always) private func updateVertical(_ body: (inout VP8Edge) -> Void) {
    // Place i of the upper half is interleaved with place i of the lower half, four times.
    var lanes = unsafe VP8Lanes(
      pair(first, 0), pair(first, 2), pair(first, 4), pair(first, 6),
      pair(second, 0), pair(second, 2), pair(second, 4), pair(second, 6))
    for _ in 0..<4 { lanes.interleave() }
    var edge = VP8Edge(
      p3: lanes.v0, p2: lanes.v1, p1: lanes.v2, p0: lanes.v3, q0: lanes.v4, q1: lanes.v5,
      q2: lanes.v6, q3: lanes.v7)
    body(&edge)
    lanes = VP8Lanes(
      edge.p3, edge.p2, edge.p1, edge.p0, edge.q0, edge.q1, edge.q2, edge.q3)
    for _ in 0..<3 { lanes.interleave() }
    unsafe storePair(lanes.v0, first, 0)
    unsafe storePair(lanes.v1, first, 2)
    unsafe storePair(lanes.v2, first, 4)
    unsafe storePair(lanes.v3, first, 6)
    unsafe storePair(lanes.v4, second, 0)
    unsafe storePair(lanes.v5, second, 2)
    unsafe storePair(lanes.v6, second, 4)
    unsafe storePair(lanes.v7, second, 6)
  }

  /// The samples across the edge in rows `y` and `y + 1`.
  @inline(__always)
  private func pair(_ places: UnsafeMutablePointer<UInt8>, _ y: Int) -> SIMD16<UInt8> {
    let row = unsafe UnsafeRawPointer(places + (y &* stride &- 4))
    return unsafe SIMD16(
      lowHalf: row.loadUnaligned(as: SIMD8<UInt8>.self),
      highHalf: (row + stride).loadUnaligned(as: SIMD8<UInt8>.self))
  }

  @inline(__always)
  private func storePair(
    _ samples: SIMD16<UInt8>, _ places: UnsafeMutablePointer<UInt8>, _ y: Int
  ) {
    let row = unsafe UnsafeMutableRawPointer(places + (y &* stride &- 4))
    unsafe row.storeBytes(of: samples.lowHalf, as: SIMD8<UInt8>.self)
    unsafe (row + stride).storeBytes(of: samples.highHalf, as: SIMD8<UInt8>.self)
  }
}

/// 128 bytes. Interleaving the halves rotates the bits of each byte's index by one: after four
/// times rows of 8 are columns of 16, and after three more the bytes are in their first order.
private struct VP8Lanes {
  typealias Vector = SIMD16<UInt8>

  var v0, v1, v2, v3, v4, v5, v6, v7: Vector

  @inline(__always)
  init(
    _ v0: Vector, _ v1: Vector, _ v2: Vector, _ v3: Vector, _ v4: Vector, _ v5: Vector,
    _ v6: Vector, _ v7: Vector
  ) {
    (self.v0, self.v1, self.v2, self.v3) = (v0, v1, v2, v3)
    (self.v4, self.v5, self.v6, self.v7) = (v4, v5, v6, v7)
  }

  @inline(__always) mutating func interleave() {
    let a = v0.interleaved(with: v4)
    let b = v1.interleaved(with: v5)
    let c = v2.interleaved(with: v6)
    let d = v3.interleaved(with: v7)
    (v0, v1, v2, v3) = (a.lowHalf, a.highHalf, b.lowHalf, b.highHalf)
    (v4, v5, v6, v7) = (c.lowHalf, c.highHalf, d.lowHalf, d.highHalf)
  }
}
