//===--- LabelFilter.swift - which labels are given at all ----------------===//
//
// Contract  A label goes by its name or by its display name. A name that no class has is an error, so
//           that a misspelt one is noticed.
// Source    TFLite Support and MediaPipe Tasks know both lists too, and one of them at a time.
// Checked   Tests/MartletVisionTests/LabelFilterTests.swift
//===----------------------------------------------------------------------===//

/// Which of a classifier's labels may be given.
public enum LabelFilter: Sendable, Hashable {
  /// These alone.
  case allow(Set<String>)
  /// All but these.
  case deny(Set<String>)

  /// All labels.
  public static let none = LabelFilter.deny([])

  /// The classes that are not given, where `lists` are what they are called.
  ///
  /// - Throws: `ModelRequirement.label` for a name that is in no list.
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
