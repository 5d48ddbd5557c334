//===--- MissingOperators.swift - a model's missing operators -------------===//

import MartletInference
import MartletModel

/// The operators that a model needs and that are not implemented.
struct MissingOperators: Error, CustomStringConvertible {
  let all: [MissingOperator]

  /// All missing operators in one line.
  var description: String {
    var parts = all.map(\.description)
    for operation in all {
      if let advice = InferenceError.advice(forOperator: operation.name), !parts.contains(advice) {
        parts.append(advice)
      }
    }
    return "unsupported operators: " + parts.joined(separator: "; ")
  }
}

extension Model {
  /// Returns the result of `prepare`. If operators are missing, the error names all of them,
  /// including those after a tensor whose shape is known only at run time.
  func namingMissingOperators<Prepared>(
    _ options: Interpreter.Options, _ prepare: () throws(InferenceError) -> Prepared
  ) throws -> Prepared {
    var missing = missingOperators(options: options, checksTypes: false)
    if missing.contains(where: { $0.subgraph == 0 }) { throw MissingOperators(all: missing) }
    do throws(InferenceError) {
      return try prepare()
    } catch {
      missing = missingOperators(options: options, checksTypes: true)
      if missing.isEmpty { throw error }
      throw MissingOperators(all: missing)
    }
  }
}
