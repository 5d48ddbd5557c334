//===--- Profile.swift - time by operator and shape -----------------------===//
//
// The median of several runs for each node, summed over nodes that do the same work. The clock is
// read before and after each node.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletInference

struct Profile {
  private struct Row {
    var count = 0
    var nanoseconds = 0
    var multiplyAdds = 0
  }

  private static let runs = 11
  private var rows: [String: Row] = [:]

  init(of interpreter: Interpreter) throws {
    let nodes = interpreter.nodeSummaries
    var times: [Int: [Int]] = [:]
    try interpreter.invoke()
    for _ in 0..<Profile.runs {
      var start = MonotonicClock.now
      try interpreter.invoke { node, done in
        if done {
          times[node, default: []].append(Int((MonotonicClock.now - start) * 1e9))
        } else {
          start = MonotonicClock.now
        }
      }
    }
    for node in nodes {
      let sorted = (times[node.index] ?? [0]).sorted()
      rows[node.signature, default: Row()].count += 1
      rows[node.signature, default: Row()].nanoseconds += sorted[sorted.count / 2]
      rows[node.signature, default: Row()].multiplyAdds += node.multiplyAdds
    }
  }

  /// The rows, sorted by decreasing time, then by name.
  private var order: [(key: String, value: Row)] {
    rows.sorted { ($1.value.nanoseconds, $0.key) < ($0.value.nanoseconds, $1.key) }
  }

  var json: JSON {
    .array(
      order.map { signature, row in
        .object([
          ("work", .string(signature)), ("count", .integer(row.count)),
          ("nanoseconds", .integer(row.nanoseconds)),
          ("multiplyAdds", .integer(row.multiplyAdds)),
        ])
      })
  }

  var text: String {
    let total = max(rows.values.reduce(0) { $0 + $1.nanoseconds }, 1)
    var table = TextTable([
      ("µs", .right), ("share", .right), ("count", .right), ("GMAC/s", .right), ("work", .left),
    ])
    for (signature, row) in order {
      let rate = Double(row.multiplyAdds) / Double(max(row.nanoseconds, 1))
      table.add(
        JSON.decimal(Double(row.nanoseconds) / 1000, places: 1) ?? "",
        (JSON.decimal(Double(row.nanoseconds) * 100 / Double(total), places: 1) ?? "") + " %",
        String(row.count), row.multiplyAdds > 0 ? JSON.decimal(rate, places: 2) ?? "" : "",
        signature)
    }
    let sum = JSON.decimal(Double(total) / 1e6, places: 3) ?? ""
    return "\(table)\n\nall operators together: \(sum) ms"
  }
}
