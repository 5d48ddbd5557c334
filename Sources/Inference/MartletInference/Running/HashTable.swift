//===--- HashTable.swift - hash table filled once -------------------------===//
//
// Contract  Of equal keys the first is used. Results do not depend on a dictionary's order.
//===----------------------------------------------------------------------===//

/// A map from strings to int64 or from int64 to strings.
final class HashTable {
  enum Content {
    case numbers([[UInt8]: Int64])
    case strings([Int64: [UInt8]])
  }

  /// The imported content; `nil` before the first import.
  private(set) var content: Content?
  /// The bytes counted towards the memory limit.
  private(set) var byteCount = 0

  /// The number of keys.
  var count: Int {
    switch content {
    case .numbers(let numbers): numbers.count
    case .strings(let strings): strings.count
    case nil: 0
    }
  }

  /// Fills an empty table, whose content counts as `byteCount` bytes.
  func fill(_ content: Content, byteCount: Int) {
    self.content = content
    self.byteCount = byteCount
  }

  /// Removes all keys. Their bytes stay reserved for the next import.
  func clear() { content = nil }
}
