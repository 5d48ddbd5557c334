//===--- Report.swift - table and JSON ------------------------------------===//
//
// Contract  Rates and shares of the peak are those of the fastest run. The JSON's members are part
//           of the command line's contract; more may be added.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine

struct Report {
  let machine: Machine
  private var outcomes: [Outcome] = []
  private var skipped: [Skipped] = []

  init(machine: Machine) { self.machine = machine }

  mutating func add(_ outcome: Outcome) { outcomes.append(outcome) }
  mutating func add(_ benchmark: Skipped) { skipped.append(benchmark) }

  /// Billions of multiply-adds per second, and their share of the peak.
  private func rate(_ outcome: Outcome) -> (rate: Double, peakShare: Double)? {
    guard case .multiplyAdds(let count, let arithmetic) = outcome.unit else { return nil }
    let rate = Double(count) / 1e6 / outcome.measurement.minimum
    return (rate, rate / machine.peak(of: arithmetic))
  }

  /// Millions of pixels per second.
  private func pixelRate(_ outcome: Outcome) -> Double? {
    guard case .pixels(let count) = outcome.unit else { return nil }
    return Double(count) / 1e3 / outcome.measurement.minimum
  }
}

// MARK: - Table

extension Report: CustomStringConvertible {
  /// The processor and its peaks: the first lines of the table.
  var heading: String {
    """
    \(machine.processor), \(machine.cores) cores, \(machine.system)
    threads: \(machine.threads); kernels for \(machine.instructionSet), vectors of \(machine.lanes) lanes; \
    \(machine.tiles.joined(separator: ", ")); peak \
    \(number(machine.peak(of: .float32), 1)) GMAC/s float32, \
    \(number(machine.peak(of: .int16), 1)) GMAC/s int16 pairs
    """
  }

  var description: String {
    var table = TextTable([
      ("benchmark", .left), ("runs", .right), ("min ms", .right), ("median ms", .right),
      ("IQR ms", .right), ("rate", .right), ("peak", .right), ("arena KiB", .right),
      ("allocations", .right),
    ])
    for outcome in outcomes {
      let time = outcome.measurement
      let rate = rate(outcome)
      let pixels = pixelRate(outcome).map { number($0, 1) + " MP/s" }
      table.add(
        outcome.name, String(time.runs), number(time.minimum, 4), number(time.median, 4),
        number(time.interquartileRange, 4),
        rate.map { number($0.rate, 2) + " GMAC/s" } ?? pixels ?? "",
        rate.map { number($0.peakShare * 100, 1) + " %" } ?? "",
        outcome.arenaByteCount.map { String(($0 + 1023) / 1024) } ?? "",
        outcome.allocations.map { String($0) } ?? (outcome.isSteady ? "not counted" : ""))
    }
    let left = skipped.map { "skipped \($0.name): \($0.reason)" }
    let memory = "peak memory \(Machine.peakByteCount >> 20) MiB"
    return ([table.description, ""] + left + [memory]).joined(separator: "\n")
  }

  /// Formats `value` with exactly `places` decimals, so that decimal points line up.
  private func number(_ value: Double, _ places: Int) -> String {
    guard let short = JSON.decimal(value, places: places) else { return "" }
    let parts = short.split(separator: ".")
    let digits = parts.count > 1 ? parts[1].count : 0
    return short + (digits == 0 ? "." : "") + String(repeating: "0", count: places - digits)
  }
}

// MARK: - JSON

extension Report {
  var json: JSON {
    .object([
      (
        "machine",
        .object([
          ("processor", .string(machine.processor)), ("system", .string(machine.system)),
          ("cores", .integer(machine.cores)),
          ("instruction_set", .string(machine.instructionSet)), ("lanes", .integer(machine.lanes)),
          ("kernels", .array(machine.tiles.map { .string($0) })),
          ("threads", .integer(machine.threads)),
          ("peak_float32_gmacs", .number(machine.peak(of: .float32), places: 3)),
          ("peak_int16_gmacs", .number(machine.peak(of: .int16), places: 3)),
          ("peak_memory_bytes", .integer(Machine.peakByteCount)),
        ])
      ),
      ("results", .array(outcomes.map(json))),
      (
        "skipped",
        .array(
          skipped.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
      ),
    ])
  }

  private func json(_ outcome: Outcome) -> JSON {
    let time = outcome.measurement
    var members: [(String, JSON)] = [
      ("name", .string(outcome.name)), ("threads", .integer(machine.threads)),
      ("runs", .integer(time.runs)), ("min_ms", .number(time.minimum, places: 6)),
      ("median_ms", .number(time.median, places: 6)),
      ("iqr_ms", .number(time.interquartileRange, places: 6)),
    ]
    switch outcome.unit {
    case .multiplyAdds(let count, _): members.append(("macs", .integer(count)))
    case .pixels(let count): members.append(("pixels", .integer(count)))
    case .none: break
    }
    if let rate = rate(outcome) {
      members.append(("gmacs_per_second", .number(rate.rate, places: 3)))
      members.append(("peak_share", .number(rate.peakShare, places: 4)))
    }
    if let bytes = outcome.arenaByteCount {
      members.append(("arena_bytes", .integer(bytes)))
    }
    if outcome.isSteady {
      members.append(("allocations", outcome.allocations.map { .integer($0) } ?? .null))
    }
    return .object(members)
  }
}
