//===--- EmbeddingLookup.swift - EMBEDDING_LOOKUP of quantized tables -----===//
//
// y[i, j] = table[indices[i], j] · scale, a scale for the table or for each row
//
// Contract  TFLite EMBEDDING_LOOKUP, hybrid path: bytes are read as signed whatever the type. A row
//           of packed elements starts at the byte that contains its first element, as in LiteRT.
//           Indices are checked before anything is written.
// Cost      One pass over the output.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Copies rows of `run` elements, `inByte` of which the file packs into each byte, from a table
  /// with `rows` rows.
  package static func lookUp(
    _ indices: UnsafeMutableBufferPointer<Int32>, in table: UnsafeMutableBufferPointer<Int8>,
    rows: Int, run: Int, inByte: Int, scales: [Float], into y: UnsafeMutableBufferPointer<Float>
  ) throws(IndexOutOfRange) {
    for index in indices where index < 0 || Int(index) >= rows {
      throw IndexOutOfRange(found: Int(index), limit: rows)
    }
    for (i, index) in indices.enumerated() {
      let row = Int(index) * run / inByte * inByte
      let scale = scales[scales.count == 1 ? 0 : Int(index)]
      for j in 0..<run { y[i * run + j] = Float(table[row + j]) * scale }
    }
  }
}
