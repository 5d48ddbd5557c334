//===--- HashTable.swift - a table that is filled once --------------------===//
//
// Contract  Of equal keys the first counts. Nothing depends on the order in which a dictionary holds
//           its keys.
// Checked   Tests/MartletInferenceTests/HashTableTests.swift
//===----------------------------------------------------------------------===//

/// Keys and their values: strings and int64, or the other way round.
final class HashTable {
  enum Content {
    case numbers([[UInt8]: Int64])
    case strings([Int64: [UInt8]])
  }

  /// What was imported; `nil` before anything was.
  private(set) var content: Content?
  /// The bytes that are counted for it towards the memory limit.
  private(set) var byteCount = 0

  /// The number of keys.
  var count: Int {
    switch content {
    case .numbers(let numbers): numbers.count
    case .strings(let strings): strings.count
    case nil: 0
    }
  }

  /// Fills an empty table, which takes so many bytes.
  func fill(_ content: Content, byteCount: Int) {
    self.content = content
    self.byteCount = byteCount
  }

  /// Forgets all keys. Their bytes stay counted for what is imported next.
  func clear() { content = nil }
}
