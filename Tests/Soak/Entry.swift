//===--- Entry.swift - an operation that is repeated ----------------------===//
//
// Contract  An entry fails if a call throws, if a result differs from the first result for the
//           same input, or if the process uses more resources at the end than after the first
//           calls.
//===----------------------------------------------------------------------===//

import Foundation

/// An entry of the library that is called COUNT times.
struct Entry {
  let name: String
  /// The number of calls after which the input repeats.
  var period = 1
  /// Returns the operation: it gets the number of each call and returns the bytes of its result.
  let prepare: () throws -> (Int) throws -> Data

  /// The number of the `count` calls after which growth is measured.
  static func warmUp(_ count: Int) -> Int { min(1000, count / 2) }

  /// Calls the entry `count` times, or fewer if `seconds` pass first.
  func run(_ count: Int, seconds: Double) throws -> Row {
    let start = Date()
    let call = try prepare()
    let warm = Entry.warmUp(count)
    var expected = FirstResults()
    var before: Usage?
    var number = 0
    while number < count, Date().timeIntervalSince(start) < seconds {
      if before == nil, number == warm || Date().timeIntervalSince(start) > seconds / 2 {
        before = Usage()
      }
      try expected.check(try call(number), call: number, period: period)
      number += 1
    }
    let after = Usage()
    return Row(name: name, count: number, before: before ?? after, after: after, since: start)
  }
}

/// The first result for each input.
struct FirstResults {
  private var results: [Int: Data] = [:]

  /// Checks a result against the first one for the same input.
  mutating func check(_ result: Data, call: Int, period: Int) throws {
    let first = results[call % period, default: result]
    guard result == first else {
      throw SoakError.changed(call: call, found: result, expected: first)
    }
    results[call % period] = first
  }
}

/// A row of the table.
struct Row {
  static let head = "entry\tcalls\tMiB after 1,000\tMiB at the end\tdescriptors\tthreads\tseconds"

  let name: String
  let count: Int
  let before, after: Usage
  let since: Date

  var failure: String? { after.growth(since: before) }

  var text: String {
    func mebibytes(_ usage: Usage) -> String {
      String(format: "%.1f", Double(usage.kibibytes) / 1024)
    }
    return [
      name, "\(count)", mebibytes(before), mebibytes(after),
      "\(before.descriptors)-\(after.descriptors)", "\(before.threads)-\(after.threads)",
      "\(Int(Date().timeIntervalSince(since)))",
    ].joined(separator: "\t") + (failure.map { "\t" + $0 } ?? "")
  }
}

/// The reason for a failure.
enum SoakError: Error, CustomStringConvertible {
  case changed(call: Int, found: Data, expected: Data)
  case timedOut
  case ended(program: String, status: Int32)
  case lineCount(found: Int, expected: Int)

  var description: String {
    switch self {
    case .changed(let call, let found, let expected):
      "the result of call \(call) is \(String(decoding: found.prefix(400), as: UTF8.self)), "
        + "expected \(String(decoding: expected.prefix(400), as: UTF8.self))"
    case .timedOut: "no result came within a minute"
    case .ended(let program, let status): "\(program) ended with status \(status)"
    case .lineCount(let found, let expected): "\(found) lines were printed, expected \(expected)"
    }
  }
}

/// Waits at most one minute for a result from another thread.
final class Waiter<Value: Sendable>: @unchecked Sendable {
  typealias Completion = @Sendable (Value?, (any Error)?) -> Void

  private let done = DispatchSemaphore(value: 0)
  private var result: Result<Value, any Error>?

  func finish(_ result: Result<Value, any Error>) {
    self.result = result
    done.signal()
  }

  func value() throws -> Value {
    guard done.wait(timeout: .now() + 60) == .success, let result else { throw SoakError.timedOut }
    return try result.get()
  }

  /// The result of a task.
  static func value(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let waiter = Waiter()
    Task.detached {
      do { waiter.finish(.success(try await body())) } catch { waiter.finish(.failure(error)) }
    }
    return try waiter.value()
  }

  /// The value or error that the completion receives.
  static func value(_ body: (@escaping Completion) -> Void) throws -> Value {
    let waiter = Waiter()
    body { value, error in
      if let value {
        waiter.finish(.success(value))
      } else {
        waiter.finish(.failure(error ?? SoakError.timedOut))
      }
    }
    return try waiter.value()
  }
}

/// The bytes of a value, the same for equal values.
func bytes(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return try encoder.encode(value)
}
