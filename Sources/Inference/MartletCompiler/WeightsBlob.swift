//===--- WeightsBlob.swift - layer records in one blob --------------------===//
//
// Contract  A record begins at a multiple of four bytes; integers are little endian. A record beyond
//           the limit is not stored.
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
  /// The most bytes.
  let limit: Int
  /// Whether a record was beyond the limit.
  private(set) var isFull = false

  /// Many times the need of a file whose layers share no weights, and enough for small files whose
  /// layers do.
  static func limit(fileSize: Int) -> Int { (16 << 20) + 8 * fileSize }

  init(limit: Int) { self.limit = limit }

  /// Whether a record of so many integers is within the limit; notes it otherwise.
  mutating func hasRoom(forIntegers count: Int) -> Bool {
    isFull = isFull || count > (limit - bytes.count) / 4
    return !isFull
  }

  /// Appends a record and returns its offset.
  mutating func append(_ integers: [Int32], _ weights: [UInt8] = []) -> Int {
    guard hasRoom(forIntegers: integers.count + (weights.count + 7) / 4) else { return 0 }
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
