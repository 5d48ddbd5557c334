//===--- WeightsBlob.swift - layer records in one blob --------------------===//
//
// Contract  A record begins at a multiple of four bytes; integers are little endian.
// Checked   Tests/MartletCompiledTests/CompiledModelTests.swift
//===----------------------------------------------------------------------===//

/// Where a program's weights are.
package enum WeightsPlace {
  /// In a file, whose address the program gives.
  case file
  /// In the source, as literals.
  case inline
}

struct WeightsBlob {
  private(set) var bytes: [UInt8] = []
  /// The offset of each record.
  private(set) var starts: [Int] = []

  /// Appends a record and returns its offset.
  mutating func append(_ integers: [Int32], _ weights: [UInt8] = []) -> Int {
    while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
    let offset = bytes.count
    starts.append(offset)
    for value in integers {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    bytes.append(contentsOf: weights)
    return offset
  }
}
