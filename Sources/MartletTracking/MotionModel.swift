//===--- MotionModel.swift - camera motion between two frames -------------===//
//
// An affine map from the places of one frame to those of an earlier one, fitted to the shifts of
// blocks. What moves by itself is an outlier: the fit weighs each block anew by how far off it is
// (iterated least squares with Cauchy's weights squared), less and less tolerantly.
//
// Contract  Places are pixels from the frame's middle. Blocks without texture along an axis say
//           nothing of that axis; where none says anything the map is the identity.
// Cost      Twelve fits of three unknowns along each axis.
// Checked   Tests/MartletTrackingTests/MotionModelTests.swift
//===----------------------------------------------------------------------===//

/// A place in an earlier frame for each place in a later one.
struct MotionModel: Equatable, Sendable {
  /// What (1, x, y) are multiplied by to give the earlier x.
  var across: SIMD3<Float>
  /// The same for the earlier y.
  var down: SIMD3<Float>

  static let identity = MotionModel(across: [0, 1, 0], down: [0, 0, 1])

  /// The shift of one block.
  struct Shift: Equatable, Sendable {
    /// The block's middle in the later frame.
    var x: Float
    var y: Float
    /// How far away it was in the earlier frame.
    var dx: Float
    var dy: Float
    /// How well the block's texture tells shifts along x and along y apart.
    var acrossWeight: Float
    var downWeight: Float
  }

  init(across: SIMD3<Float>, down: SIMD3<Float>) {
    self.across = across
    self.down = down
  }

  /// The map that most of the shifts agree on.
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

  /// The earlier place of (x, y).
  @inline(__always)
  func callAsFunction(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (across[0] + across[1] * x + across[2] * y, down[0] + down[1] * x + down[2] * y)
  }

  /// This map followed by an even earlier one.
  func followed(by earlier: MotionModel) -> MotionModel {
    func row(_ outer: SIMD3<Float>) -> SIMD3<Float> {
      across * outer[1] + down * outer[2] + [outer[0], 0, 0]
    }
    return MotionModel(across: row(earlier.across), down: row(earlier.down))
  }

  private mutating func refit(to shifts: [Shift], tolerance: Float) {
    // A weak pull to where the map is keeps slopes that no block tells anything of.
    var acrossFit = LeastSquares(around: across, pull: 1)
    var downFit = LeastSquares(around: down, pull: 1)
    for shift in shifts {
      let place = self(shift.x, shift.y)
      let offX = shift.x + shift.dx - place.x
      let offY = shift.y + shift.dy - place.y
      // An axis without texture does not speak against the block.
      let error =
        (shift.acrossWeight > 0 ? offX * offX : 0) + (shift.downWeight > 0 ? offY * offY : 0)
      let trust = 1 / (1 + error / (tolerance * tolerance))
      let terms: SIMD3<Float> = [1, shift.x, shift.y]
      acrossFit.add(terms, offX, weight: shift.acrossWeight * trust * trust)
      downFit.add(terms, offY, weight: shift.downWeight * trust * trust)
    }
    across = acrossFit.solution
    down = downFit.solution
  }

  /// The value that half the weight lies below; 0 if there is no weight.
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

/// Weighted least squares of three unknowns, as differences from a first guess.
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

  /// By Cramer's rule; the pull keeps the determinant above zero.
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
