//===--- ConfigurationMember.swift - configurations as JSON ---------------===//
//
// A configuration lists its members once: the name, the permitted values, and the property. The one
// reader and the one writer of JSON follow this list; the command line takes its options' values
// from it.
//
// Contract  A member that is missing or null keeps its default. An unknown member is an error that
//           names the nearest known one. The writer leaves out what has its default.
//===----------------------------------------------------------------------===//

import MartletBase

/// A configuration with a form in JSON.
package protocol JSONConfiguration: JSONReadable, Equatable, Sendable {
  /// The defaults.
  init()
  /// The members of its JSON object, in the order in which they are read and written.
  static var members: [ConfigurationMember<Self>] { get }
}

/// The values that a member may have.
package enum MemberKind: Sendable, Equatable {
  case flag
  case count(from: Int)
  /// A number of bytes in MiB.
  case mebibytes
  /// A number of 0...1.
  case share
  /// A number of seconds.
  case seconds
  case words
  case numbers
  case choice([String])
}

/// A member of a configuration's JSON object.
package struct ConfigurationMember<Configuration: JSONConfiguration>: Sendable {
  /// The member's name in camel case.
  package let name: String
  package let kind: MemberKind
  fileprivate let read: @Sendable (inout Configuration, JSONReader) throws(JSONError) -> Void
  /// The value's JSON; `nil` if it is the default.
  fileprivate let write: @Sendable (Configuration) -> JSON?

  private init<Value: JSONReadable & Equatable & Sendable>(
    _ name: String, _ kind: MemberKind, _ get: @escaping @Sendable (Configuration) -> Value?,
    _ set: @escaping @Sendable (inout Configuration, Value) throws(JSONError) -> Void,
    check: @escaping @Sendable (Value) -> String? = { _ in nil },
    json: @escaping @Sendable (Value) -> JSON
  ) {
    (self.name, self.kind) = (name, kind)
    read = { (configuration, reader) throws(JSONError) in
      let value = try Value(reader)
      if let expected = check(value) { throw reader.mismatch(expected) }
      try set(&configuration, value)
    }
    write = { configuration in
      guard let value = get(configuration), value != get(Configuration()) else { return nil }
      return json(value)
    }
  }

  static func flag(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> Bool,
    _ set: @escaping @Sendable (inout Configuration, Bool) -> Void
  ) -> Self {
    Self(name, .flag, { get($0) }, set, json: { .bool($0) })
  }

  static func count(
    _ name: String, from least: Int = 1, _ get: @escaping @Sendable (Configuration) -> Int?,
    _ set: @escaping @Sendable (inout Configuration, Int) -> Void
  ) -> Self {
    Self(
      name, .count(from: least), get, set,
      check: { $0 < least ? "number from \(least) on" : nil }, json: { .integer($0) })
  }

  static func mebibytes(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> Int,
    _ set: @escaping @Sendable (inout Configuration, Int) -> Void
  ) -> Self {
    Self(
      name, .mebibytes, { (get($0) - 1) >> 20 + 1 }, { set(&$0, $1 << 20) },
      check: {
        DecodingConfiguration.memoryRange.contains($0)
          ? nil : "number of MiB from 1 to \(DecodingConfiguration.memoryRange.upperBound)"
      },
      json: { .integer($0) })
  }

  static func share(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> Float?,
    _ set: @escaping @Sendable (inout Configuration, Float) -> Void
  ) -> Self {
    Self(
      name, .share, get, set, check: { (0...1).contains($0) ? nil : "number of 0...1" },
      json: { .float($0) })
  }

  static func seconds(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> Double?,
    _ set: @escaping @Sendable (inout Configuration, Double) -> Void
  ) -> Self {
    Self(
      name, .seconds, get, set,
      check: {
        DecodingConfiguration.timeoutRange.contains($0)
          ? nil : "number of seconds from 0.001 to 1000000"
      }, json: { .literal("\($0)") })
  }

  static func words(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> [String]?,
    _ set: @escaping @Sendable (inout Configuration, [String]) throws(JSONError) -> Void
  ) -> Self {
    Self(name, .words, get, set, json: { .array($0.map { .string($0) }) })
  }

  static func numbers(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> [Float]?,
    _ set: @escaping @Sendable (inout Configuration, [Float]) throws(JSONError) -> Void
  ) -> Self {
    Self(name, .numbers, get, set, json: { .array($0.map { .float($0) }) })
  }

  /// `set` throws nothing; Embedded Swift miscompiles the conversion of a closure that takes a
  /// `String` and does not throw to one that may.
  static func choice(
    _ name: String, of words: [String], _ get: @escaping @Sendable (Configuration) -> String,
    _ set: @escaping @Sendable (inout Configuration, String) throws(JSONError) -> Void
  ) -> Self {
    Self(
      name, .choice(words), { get($0) }, set,
      check: { words.contains($0) ? nil : words.joined(separator: " or ") },
      json: { .string($0) })
  }
}

extension JSONConfiguration {
  /// Sets the properties that a JSON object has.
  package mutating func read(_ reader: JSONReader) throws(JSONError) {
    guard case .object(let members) = reader.json else { throw reader.mismatch("object") }
    let names = Self.members.map { $0.name }
    for (name, _) in members where !names.contains(name) {
      throw .unknown(path: name, nearest: names.nearest(to: name))
    }
    for member in Self.members {
      guard let (_, value) = members.first(where: { $0.0 == member.name }) else { continue }
      if case .null = value { continue }
      try member.read(&self, JSONReader(value, path: member.name))
    }
  }

  /// The JSON object of the properties that differ from the defaults.
  package var json: JSON {
    .object(Self.members.compactMap { member in member.write(self).map { (member.name, $0) } })
  }
}
