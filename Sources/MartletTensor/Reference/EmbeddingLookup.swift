//===--- EmbeddingLookup.swift - EMBEDDING_LOOKUP of quantised tables -----===//
//
// y[i, j] = table[indices[i], j] · scale, a scale for the table or for each row
//
// Contract  TFLite EMBEDDING_LOOKUP, hybrid path: 8 bits (read as signed whatever the type), or
//           packed 4 or 2 bits, the lowest first. A row begins at a whole byte, the one that its
//           first element is in, as LiteRT has it. Indices are checked before anything is written.
// Cost      One pass over the output.
// Checked   Tests/MartletTensorTests/EmbeddingLookupTests.swift, operator cases
//===----------------------------------------------------------------------===//

extension Reference {
  /// Takes rows of `run` elements of `bitWidth` bits from a table with `rows`.
  package static func lookUp(
    _ indices: UnsafeMutableBufferPointer<Int32>, in table: UnsafeRawPointer, rows: Int, run: Int,
    bitWidth: Int, scales: [Float], into y: UnsafeMutableBufferPointer<Float>
  ) throws(IndexOutOfRange) {
    for index in indices where index < 0 || Int(index) >= rows {
      throw IndexOutOfRange(found: Int(index), limit: rows)
    }
    let perByte = 8 / bitWidth
    for (i, index) in indices.enumerated() {
      let row = table + Int(index) * run / perByte
      // Elements are read in the upper bits of a byte.
      let scale = scales[scales.count == 1 ? 0 : Int(index)] / Float(1 << (8 - bitWidth))
      for j in 0..<run {
        let byte = row.load(fromByteOffset: j / perByte, as: UInt8.self)
        let shifted = byte << UInt8(truncatingIfNeeded: 8 - bitWidth - j % perByte * bitWidth)
        let top = shifted & (0xff << UInt8(truncatingIfNeeded: 8 - bitWidth))
        y[i * run + j] = Float(Int8(bitPattern: top)) * scale
      }
    }
  }
}
