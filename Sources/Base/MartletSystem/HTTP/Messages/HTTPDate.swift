//===--- HTTPDate.swift - dates of HTTP -----------------------------------===//
//
// Contract  Writes the standard form (`Sun, 06 Nov 1994 08:49:37 GMT`). Reads that one, RFC 850's
//           and asctime's. A two-digit year more than fifty years after `now` belongs to the
//           previous century. Years 1 to 9999.
// Source    RFC 9110, section 5.6.7
// Checked   Tests/MartletSystemTests/HTTP/HTTPDateTests.swift
//===----------------------------------------------------------------------===//

/// Dates of HTTP, as seconds since 1970 in UTC.
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let secondsInDay = 86_400

  /// The text of a date.
  package static func text(of seconds: Int) -> String {
    let (number, time) = dayAndTime(seconds)
    let date = civil(day: number)
    return "\(days[(number % 7 + 7) % 7]), \(padded(date.day)) \(months[date.month - 1]) "
      + "\(padded(date.year, to: 4)) \(time) GMT"
  }

  /// The text of a date in RFC 3339's form with milliseconds: `1994-11-06T08:49:37.000Z`.
  package static func timestamp(of seconds: Int) -> String {
    let (number, time) = dayAndTime(seconds)
    let date = civil(day: number)
    return "\(padded(date.year, to: 4))-\(padded(date.month))-\(padded(date.day))T\(time).000Z"
  }

  /// The number of days since 1970, and the time of day: `08:49:37`.
  private static func dayAndTime(_ seconds: Int) -> (day: Int, time: String) {
    let day = Int((Double(seconds) / Double(secondsInDay)).rounded(.down))
    let rest = seconds - day * secondsInDay
    return (day, "\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))")
  }

  /// Parses a date in one of the three forms; returns `nil` for other text.
  package static func seconds(of text: String, now: Int) -> Int? {
    let words = text.split(separator: " ").map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT":  // Sun, 06 Nov 1994 08:49:37 GMT
      guard words[3].count == 4 else { return nil }
      return seconds(day: words[1], month: words[2], year: Int(words[3]), time: words[4])
    case 4 where words[3] == "GMT":  // Sunday, 06-Nov-94 08:49:37 GMT
      let date = words[1].split(separator: "-").map(String.init)
      guard date.count == 3, date[2].count == 2, let short = Int(date[2]) else { return nil }
      let thisYear = civil(day: now / secondsInDay).year
      let year = thisYear / 100 * 100 + short
      return seconds(
        day: date[0], month: date[1], year: year > thisYear + 50 ? year - 100 : year,
        time: words[2])
    case 5:  // Sun Nov  6 08:49:37 1994
      guard words[4].count == 4 else { return nil }
      return seconds(day: words[2], month: words[1], year: Int(words[4]), time: words[3])
    default: return nil
    }
  }

  private static func seconds(day: String, month: String, year: Int?, time: String) -> Int? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard let day = Int(day), let month = months.firstIndex(of: month), let year, parts.count == 3,
      let hour = parts[0], let minute = parts[1], let second = parts[2],
      (1...31).contains(day), (1...9999).contains(year), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let number = HTTPDate.day(year: year, month: month + 1, day: day)
    return number * secondsInDay + hour * 3600 + minute * 60 + second
  }

  // MARK: - Calendar with a cycle of 400 years; years begin in March

  private static let daysInCycle = 146_097
  /// The days from March 1 of the year 0 to January 1, 1970.
  private static let epoch = 719_468

  private static func day(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let (cycle, yearOfCycle) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return cycle * daysInCycle + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100
      + dayOfYear - epoch
  }

  private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + epoch
    let cycle = (shifted >= 0 ? shifted : shifted - daysInCycle + 1) / daysInCycle
    let dayOfCycle = shifted - cycle * daysInCycle
    let year =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let calendarMonth = month < 10 ? month + 3 : month - 9
    return (
      year + cycle * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
