//===--- SortedLookup.swift - lookup by sorted keys -----------------------===//
//
// y[i] = values[position of lookups[i] among the keys], or zeros if it is not found
//
// Contract  TFLite HASHTABLE_LOOKUP. Keys ascend. Of equal or unsorted keys, the one that binary
//           search finds first is used.
// Cost      A binary search and a row for each lookup.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Copies rows of `run` bytes, and stores for each whether its key was found.
  package static func lookUp(
    _ lookups: UnsafeMutableBufferPointer<Int32>, among keys: UnsafeMutableBufferPointer<Int32>,
    values: UnsafeMutableRawPointer, run: Int, into output: UnsafeMutableRawPointer,
    hits: UnsafeMutableBufferPointer<UInt8>
  ) {
    for i in lookups.indices {
      let target = output + i * run
      if let place = bisect(keys, for: lookups[i]) {
        target.copyMemory(from: values + place * run, byteCount: run)
        hits[i] = 1
      } else {
        target.initializeMemory(as: UInt8.self, repeating: 0, count: run)
        hits[i] = 0
      }
    }
  }

  private static func bisect(
    _ keys: UnsafeMutableBufferPointer<Int32>, for key: Int32
  ) -> Int? {
    var range = 0..<keys.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if keys[middle] == key { return middle }
      range = key < keys[middle] ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return nil
  }
}
