//===--- Sparsity.swift - layout of a sparse constant ---------------------===//
//
// The schema's `SparsityParameters`: the order in which axes are traversed, how blocks map to
// axes, and for each level whether it is dense or compressed.
//===----------------------------------------------------------------------===//

/// How the elements of a sparse constant are laid out.
package struct Sparsity: Sendable, Hashable {
  package let traversalOrder: [Int]
  package let blockMap: [Int]
  package let levels: [SparsityLevel]
}

/// One level of a sparse layout.
package enum SparsityLevel: Sendable, Hashable {
  case dense(size: Int)
  case compressed(segments: [Int], indices: [Int])
}
