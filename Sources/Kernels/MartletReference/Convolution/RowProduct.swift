//===--- RowProduct.swift - rows times a part of a matrix (GEMM) ----------===//
//
// The sums of recurrent cells. Each gate has a matrix, which writes its own columns of the result
// rows.
//
// Contract  y[r, u] = Σ over k of x[r, k] · w[u, k], without bias; `pitch` is the distance between
//           rows. Integer sums wrap. Order     A sum runs in index order. Float products are
//           rounded before they are added.
// Cost      rows · units · depth.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Multiplies `rows` rows by a matrix of `units` rows of `depth`.
  package static func multiply(
    _ x: UnsafePointer<Float>, rows: Int, depth: Int, by w: UnsafePointer<Float>, units: Int,
    into y: UnsafeMutablePointer<Float>, pitch: Int
  ) {
    for row in 0..<rows {
      for unit in 0..<units {
        var sum: Float = 0
        for k in 0..<depth { sum += x[row &* depth &+ k] * w[unit &* depth &+ k] }
        y[row &* pitch &+ unit] = sum
      }
    }
  }

  /// The same for rows of quantized values; `rowPitch` is their distance.
  package static func multiply(
    _ x: UnsafePointer<Int16>, rowPitch: Int, rows: Int, depth: Int, by w: UnsafePointer<Int8>,
    units: Int, into y: UnsafeMutablePointer<Int32>, pitch: Int
  ) {
    for row in 0..<rows {
      for unit in 0..<units {
        var sum: Int32 = 0
        for k in 0..<depth {
          sum &+= Int32(x[row &* rowPitch &+ k]) &* Int32(w[unit &* depth &+ k])
        }
        y[row &* pitch &+ unit] = sum
      }
    }
  }
}
