//===--- WallClock.swift - the time of day --------------------------------===//

/// The system's time of day, which may be set and jump.
package enum WallClock {
  /// The seconds since 1970, in UTC.
  package static var secondsSince1970: Int { Int(time(nil)) }
}
