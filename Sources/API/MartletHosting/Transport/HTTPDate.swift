//===--- HTTPDate.swift - dates of HTTP -----------------------------------===//
//
// Contract  Reads the three forms that clients must accept: the standard one, RFC 850's and
//           asctime's. A two-digit year more than fifty years after `now` belongs to the previous
//           century. Years 1 to 9999.
// Source    RFC 9110, section 5.6.7
//===----------------------------------------------------------------------===//

/// Dates of HTTP, as seconds since 1970 in UTC.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses a date in one of the three forms; returns `nil` for other text.
  static func seconds(of text: String, now: Int) -> Int? {
    let words = text.split(separator: " ").map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT":  // Sun, 06 Nov 1994 08:49:37 GMT
      guard words[3].count == 4 else { return nil }
      return seconds(day: words[1], month: words[2], year: Int(words[3]), time: words[4])
    case 4 where words[3] == "GMT":  // Sunday, 06-Nov-94 08:49:37 GMT
      let date = words[1].split(separator: "-").map(String.init)
      guard date.count == 3, date[2].count == 2, let short = Int(date[2]) else { return nil }
      let thisYear = 1970 + now / secondsInYear
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

  /// The average of the calendar's cycle of 400 years.
  private static let secondsInYear = 31_556_952

  private static func seconds(day: String, month: String, year: Int?, time: String) -> Int? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard let day = Int(day), let month = months.firstIndex(of: month), let year, parts.count == 3,
      let hour = parts[0], let minute = parts[1], let second = parts[2],
      (1...31).contains(day), (1...9999).contains(year), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let number = HTTPDate.day(year: year, month: month + 1, day: day)
    return number * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The number of days since January 1, 1970. Years begin in March, so that the leap day is the
  /// last one.
  private static func day(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    // 719,468 days from March 1 of the year 0 to January 1, 1970.
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
