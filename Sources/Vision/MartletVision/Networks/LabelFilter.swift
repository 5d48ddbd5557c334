//===--- LabelFilter.swift - allowed and denied labels --------------------===//
//
// Contract  A label matches by its name or its display name. A name without a class is an error, so
//           that misspelled names are noticed.
// Source    TFLite Support and MediaPipe Tasks also have both lists, one of them at a time.
//===----------------------------------------------------------------------===//

/// The labels that a classifier may return.
public enum LabelFilter: Sendable, Hashable {
  /// Only these labels.
  case allow(Set<String>)
  /// All labels except these.
  case deny(Set<String>)

  /// All labels.
  public static let none = LabelFilter.deny([])

  /// Returns the indices of the dropped classes; `lists` contain the names of the classes.
  ///
  /// - Throws: `ModelRequirement.label` for a name that is in none of the lists.
  func dropped(of classes: Int, called lists: [[String]]) throws(VisionError) -> Set<Int> {
    let named = Set(lists.flatMap { $0 })
    let wanted =
      switch self {
      case .allow(let names), .deny(let names): names
      }
    if let unknown = wanted.subtracting(named).min() { throw .unsuitable(.label(unknown)) }
    let chosen = (0..<classes).filter { index in
      lists.contains { $0.indices.contains(index) && wanted.contains($0[index]) }
    }
    return switch self {
    case .allow: Set(0..<classes).subtracting(chosen)
    case .deny: Set(chosen)
    }
  }
}
