//===--- MissingOperators.swift - all that a model lacks, in one line -----===//

import MartletInference
import MartletModel

/// The operators that a model needs and that are not there.
struct MissingOperators: Error, CustomStringConvertible {
  let all: [MissingOperator]

  /// One line.
  var description: String {
    var parts = all.map(\.description)
    for operation in all {
      if let advice = InferenceError.advice(forOperator: operation.name), !parts.contains(advice) {
        parts.append(advice)
      }
    }
    return "operators that are not there: " + parts.joined(separator: "; ")
  }
}

extension Model {
  /// What `prepare` makes of the model; where operators are missing, the error names all of them,
  /// those too that stand behind a shape that only a run can tell.
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
