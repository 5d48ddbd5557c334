import Foundation
import Testing

@testable import MartletHosting

@Suite struct HTTPDateTests {
  /// 2026-11-21, the reference date for two-digit years.
  static let now = 1_795_219_200

  /// RFC 9110's three forms of one date.
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func readsEachForm(_ text: String) {
    #expect(HTTPDate.seconds(of: text, now: HTTPDateTests.now) == 784_111_777)
  }

  /// Compared with Foundation's calendar over four hundred years, including leap days.
  @Test func agreesWithFoundationsCalendar() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    // The last day of February 2000, and of 2100, which is no leap year.
    let dates = [951_782_400, 4_107_456_000] + (0..<800).map { $0 * 15_778_463 - 1_000_000_000 }
    for seconds in dates {
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(HTTPDate.seconds(of: text, now: HTTPDateTests.now) == seconds)
    }
  }

  @Test func mapsDistantTwoDigitYearsToTheLastCentury() {
    let past = HTTPDate.seconds(of: "Saturday, 01-Jan-77 00:00:00 GMT", now: HTTPDateTests.now)
    #expect(past == 220_924_800)
    let ahead = HTTPDate.seconds(of: "Wednesday, 01-Jan-76 00:00:00 GMT", now: HTTPDateTests.now)
    #expect(ahead == 3_345_062_400)
  }

  @Test(arguments: [
    "", "tomorrow", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Non 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun Nov 6 08:49:37 99999999999999999999", "1 2 3 4 5",
  ])
  func refusesOtherTexts(_ text: String) {
    #expect(HTTPDate.seconds(of: text, now: HTTPDateTests.now) == nil)
  }
}
