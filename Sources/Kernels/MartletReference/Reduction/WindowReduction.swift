//===--- WindowReduction.swift - reductions of windows --------------------===//
//
// y[p] = initial ∘ x[p · stride + t · dilation] for all taps t
//
// Contract  StableHLO's reduce_window on a padded tensor. Every tap of every window lies in x.
// Order     Each output combines its taps in row-major order.
// Cost      outputs · taps.
//===----------------------------------------------------------------------===//

import MartletBase

/// Windows along one axis.
package struct WindowExtent: Sendable {
  /// The elements along the axis.
  package let input: Int
  package let taps: Int
  package let stride: Int
  package let dilation: Int

  /// - Precondition: `taps`, `stride` and `dilation` are positive; all numbers fit in 32 bits.
  package init(input: Int, taps: Int, stride: Int, dilation: Int) {
    self.input = input
    self.taps = taps
    self.stride = stride
    self.dilation = dilation
  }

  /// The number of windows that fit.
  package var count: Int {
    let window = Int64(taps - 1) * Int64(dilation) + 1
    return Int64(input) < window ? 0 : (input - Int(window)) / stride + 1
  }
}

/// The windows of a tensor.
@usableFromInline
package struct WindowReduction: Sendable {
  /// The number of windows along each axis except the last, and the distance between them in
  /// elements.
  private let outer: [(count: Int, step: Int)]
  /// The number of windows along the last axis, and the distance between them.
  @usableFromInline
  package let count, step: Int
  /// The offset of each row of taps along the last axis.
  @usableFromInline
  package let rows: [Int]
  /// The taps of a row, and the distance between them.
  @usableFromInline
  package let taps, tapStep: Int

  /// The number of rows of taps in a window that fits.
  package static func rowCount(_ axes: [WindowExtent]) -> Int {
    axes.dropLast().reduce(1) { $0 * $1.taps }
  }

  /// - Precondition: There is an axis, the inputs' extents are a valid shape, and at least one window
  ///   fits.
  package init(_ axes: [WindowExtent]) {
    let strides = Shape(axes.map { $0.input }).strides(elementSize: 1)
    let last = axes.count - 1
    outer = (0..<last).map { (axes[$0].count, axes[$0].stride * strides[$0]) }
    count = axes[last].count
    step = axes[last].stride
    taps = axes[last].taps
    tapStep = axes[last].dilation
    var rows = [0]
    for (axis, stride) in zip(axes, strides).dropLast() {
      rows = rows.flatMap { row in (0..<axis.taps).map { row + $0 * axis.dilation * stride } }
    }
    self.rows = rows
  }

  /// Reduces all windows with `combine`, which takes the result so far and a tap.
  @export(implementation) @inline(__always)
  package func callAsFunction<Scalar>(
    _ x: UnsafePointer<Scalar>, from initial: Scalar, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial, _ combine: (Scalar, Scalar) -> Scalar
  ) {
    let lines = y.count / count
    workers.split(lines, grain: (1 << 15) / max(count &* rows.count &* taps, 1)) { part in
      for line in part {
        reduce(
          x + start(ofLine: line), from: initial,
          into: UnsafeMutableBufferPointer(rebasing: y[line &* count..<(line &+ 1) &* count]),
          combine)
      }
    }
  }

  /// The offset of the first window of a line along the last axis.
  @usableFromInline
  package func start(ofLine line: Int) -> Int {
    var (rest, offset) = (line, 0)
    for axis in outer.reversed() {
      offset &+= rest % axis.count &* axis.step
      rest /= axis.count
    }
    return offset
  }

  /// Reduces the windows of a line along the last axis.
  @export(implementation) @inline(__always)
  package func reduce<Scalar>(
    _ x: UnsafePointer<Scalar>, from initial: Scalar, into y: UnsafeMutableBufferPointer<Scalar>,
    _ combine: (Scalar, Scalar) -> Scalar
  ) {
    y.update(repeating: initial)
    for row in rows {
      let x = x + row
      for i in 0..<y.count {
        var result = y[i]
        for tap in 0..<taps { result = combine(result, x[i &* step &+ tap &* tapStep]) }
        y[i] = result
      }
    }
  }
}
