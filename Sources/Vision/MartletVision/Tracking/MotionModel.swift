//===--- MotionModel.swift - camera motion between two frames -------------===//
//
// An affine map from positions in one frame to those in an earlier one, fitted to the shifts of
// blocks. Independently moving objects are outliers: the fit repeatedly weights each block by its
// error (iterated least squares with squared Cauchy weights) with decreasing tolerance.
//
// Contract  Positions are pixels from the frame's center. Blocks without texture along an axis do
//           not affect that axis; without any texture the map is the identity.
// Cost      Twelve fits of three unknowns along each axis.
// Checked   Tests/MartletVisionTests/Tracking/MotionModelTests.swift
//===----------------------------------------------------------------------===//

/// Maps positions in a frame to an earlier frame.
struct MotionModel: Equatable, Sendable {
  /// The coefficients of (1, x, y) for the earlier x.
  var across: SIMD3<Float>
  /// The coefficients of (1, x, y) for the earlier y.
  var down: SIMD3<Float>

  static let identity = MotionModel(across: [0, 1, 0], down: [0, 0, 1])

  /// The shift of one block.
  struct Shift: Equatable, Sendable {
    /// The block's center in the later frame.
    var x: Float
    var y: Float
    /// The offset of its position in the earlier frame.
    var dx: Float
    var dy: Float
    /// How well the block's texture determines shifts along x and along y.
    var acrossWeight: Float
    var downWeight: Float
  }

  init(across: SIMD3<Float>, down: SIMD3<Float>) {
    self.across = across
    self.down = down
  }

  /// Fits the map that most of the shifts agree on.
  init(fitting shifts: [Shift]) {
    self = .identity
    across[0] = MotionModel.median(shifts.map { ($0.dx, $0.acrossWeight) })
    down[0] = MotionModel.median(shifts.map { ($0.dy, $0.downWeight) })
    var tolerance: Float = 4
    for _ in 0..<12 {
      refit(to: shifts, tolerance: tolerance)
      tolerance = max(tolerance * 0.75, 0.4)
    }
  }

  /// Returns the earlier position of (x, y).
  @inline(__always)
  func callAsFunction(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (across[0] + across[1] * x + across[2] * y, down[0] + down[1] * x + down[2] * y)
  }

  /// Returns the composition of this map with the map to an even earlier frame.
  func followed(by earlier: MotionModel) -> MotionModel {
    func row(_ outer: SIMD3<Float>) -> SIMD3<Float> {
      across * outer[1] + down * outer[2] + [outer[0], 0, 0]
    }
    return MotionModel(across: row(earlier.across), down: row(earlier.down))
  }

  private mutating func refit(to shifts: [Shift], tolerance: Float) {
    // A weak pull to the current map keeps the slopes that no block determines.
    var acrossFit = LeastSquares(around: across, pull: 1)
    var downFit = LeastSquares(around: down, pull: 1)
    for shift in shifts {
      let place = self(shift.x, shift.y)
      let offX = shift.x + shift.dx - place.x
      let offY = shift.y + shift.dy - place.y
      // An axis without texture does not count as an error.
      let error =
        (shift.acrossWeight > 0 ? offX * offX : 0) + (shift.downWeight > 0 ? offY * offY : 0)
      let inlierWeight = 1 / (1 + error / (tolerance * tolerance))
      let terms: SIMD3<Float> = [1, shift.x, shift.y]
      acrossFit.add(terms, offX, weight: shift.acrossWeight * inlierWeight * inlierWeight)
      downFit.add(terms, offY, weight: shift.downWeight * inlierWeight * inlierWeight)
    }
    across = acrossFit.solution
    down = downFit.solution
  }

  /// The weighted median; 0 if there is no weight.
  private static func median(_ values: [(value: Float, weight: Float)]) -> Float {
    let sorted = values.filter { $0.weight > 0 }.sorted { $0.value < $1.value }
    let half = sorted.reduce(0) { $0 + $1.weight } / 2
    var sum: Float = 0
    for (value, weight) in sorted {
      sum += weight
      if sum >= half { return value }
    }
    return 0
  }
}

/// Weighted least squares with three unknowns, relative to a first guess.
private struct LeastSquares {
  private let guess: SIMD3<Float>
  private var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  private var right: SIMD3<Double> = .zero

  init(around guess: SIMD3<Float>, pull: Double) {
    self.guess = guess
    rows = ([pull, 0, 0], [0, pull * 1e3, 0], [0, 0, pull * 1e3])
  }

  mutating func add(_ terms: SIMD3<Float>, _ value: Float, weight: Float) {
    let terms = SIMD3<Double>(terms)
    let weighted = terms * Double(weight)
    rows.0 += weighted * terms[0]
    rows.1 += weighted * terms[1]
    rows.2 += weighted * terms[2]
    right += weighted * Double(value)
  }

  /// The solution by Cramer's rule; the pull keeps the determinant above zero.
  var solution: SIMD3<Float> {
    func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
      a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    }
    let whole = determinant(rows.0, rows.1, rows.2)
    // The matrix is symmetric, so its rows are its columns.
    let step: SIMD3<Double> = [
      determinant(right, rows.1, rows.2), determinant(rows.0, right, rows.2),
      determinant(rows.0, rows.1, right),
    ]
    return guess + SIMD3<Float>(step / whole)
  }
}
