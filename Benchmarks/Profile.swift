//===--- Profile.swift - where a network's time goes ----------------------===//
//
// The clock is read before and after each operator; the fastest of many runs counts. Operators that
// were merged into others have no line, nor have those of subgraphs that others call.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference

/// The time of each of a network's operators.
struct Profile {
  private static let leastRuns = 20
  private static let leastTime = Duration.milliseconds(300)

  private let nodes: [NodeSummary]
  /// The least time of each node, in microseconds.
  private let times: [Double]

  /// Runs `interpreter`, whose inputs are set, many times.
  init(of interpreter: Interpreter) throws {
    nodes = interpreter.nodeSummaries
    let places = Dictionary(
      nodes.enumerated().map { ($1.index, $0) }, uniquingKeysWith: { first, _ in first })
    var times = [Double](repeating: .infinity, count: nodes.count)
    let clock = ContinuousClock()
    let start = clock.now
    var runs = 0
    while runs < Profile.leastRuns || clock.now - start < Profile.leastTime {
      var before = clock.now
      try interpreter.invoke { node, isDone in
        let now = clock.now
        if isDone, let place = places[node] {
          times[place] = min(times[place], (now - before) / .microseconds(1))
        }
        before = clock.now
      }
      runs += 1
    }
    self.times = times
  }
}

extension Profile: CustomStringConvertible {
  var description: String {
    let total = times.reduce(0) { $1.isFinite ? $0 + $1 : $0 }
    var table = TextTable([
      ("node", .right), ("us", .right), ("share %", .right), ("GMAC/s", .right),
      ("operator", .left),
    ])
    for (node, time) in zip(nodes, times) where time.isFinite {
      table.add(
        String(node.index), fixed(time), fixed(100 * time / total),
        node.multiplyAdds > 0 ? fixed(Double(node.multiplyAdds) / 1e3 / time) : "",
        node.signature)
    }
    table.add("all", fixed(total), fixed(100), "", "")
    return table.description
  }

  private func fixed(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
