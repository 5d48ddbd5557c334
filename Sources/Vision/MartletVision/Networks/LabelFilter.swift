//===--- LabelFilter.swift - allowed and denied labels --------------------===//
//
// A custom classifier filters its labels, before the most confident are selected. Objects are
// filtered by what they are: the class of a custom detector, the category, the best everyday name and
// its hypernym.
//
// Contract  A label matches by its name or its display name. A name without a class is an error, so
//           that misspelled names are noticed.
// Source    TFLite Support and MediaPipe Tasks also have both lists, one of them at a time.
//===----------------------------------------------------------------------===//

/// The labels that may be returned.
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
    try check(lists.flatMap { $0 })
    let chosen = (0..<classes).filter { index in
      lists.contains { $0.indices.contains(index) && wanted.contains($0[index]) }
    }
    return switch self {
    case .allow: Set(0..<classes).subtracting(chosen)
    case .deny: Set(chosen)
    }
  }

  private var wanted: Set<String> {
    switch self {
    case .allow(let names), .deny(let names): names
    }
  }

  /// Throws `ModelRequirement.label` for a name that is none of these.
  func check(_ names: [String]) throws(VisionError) {
    if let unknown = wanted.subtracting(names).min() { throw .unsuitable(.label(unknown)) }
  }

  /// Whether one of these names is allowed, or none is denied.
  private func permits(_ names: [String]) -> Bool {
    switch self {
    case .allow(let allowed): names.contains(where: allowed.contains)
    case .deny(let denied): !names.contains(where: denied.contains)
    }
  }

  /// Whether an object is reported, by its labels, its category, and the best everyday name of
  /// `fineLabeler` and its hypernym.
  func permits(_ object: DetectedObject, _ fineLabeler: FineLabeler?) -> Bool {
    permits(
      object.labels.map { $0.text } + (object.category.map { [$0.name] } ?? [])
        + (fineLabeler?.kinds(object.fineLabels ?? []) ?? []))
  }

  /// The permitted labels of a whole image, by the built-in classifier with `fineLabeler`.
  package func permitted(
    _ classification: Classification, _ fineLabeler: FineLabeler?
  ) -> Classification {
    Classification(
      labels: classification.labels.filter {
        permits([$0.text, classification.category?.name ?? ""])
      },
      category: classification.category,
      fineLabels: classification.fineLabels?.filter {
        permits(fineLabeler?.kinds([$0]) ?? [])
      })
  }
}
