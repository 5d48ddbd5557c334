import Foundation
import MartletSystem
import Testing

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

  /// The seconds are those of Python's `calendar.timegm`.
  @Test(arguments: [
    ("Mon, 31 Jan 1994 00:00:00 GMT", 759_974_400),
    ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ("Mon, 01 Mar 1999 00:00:00 GMT", 920_246_400),
    ("Thu, 30 Apr 2026 00:00:00 GMT", 1_777_507_200),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ("Sun, 28 Feb 2100 00:00:00 GMT", 4_107_456_000),
    ("Thu, 31 Dec 1970 00:00:00 GMT", 31_449_600),
  ])
  func countsTheDaysOfEachMonth(_ text: String, _ seconds: Int) {
    #expect(HTTPDate.seconds(of: text, now: HTTPDateTests.now) == seconds)
    #expect(HTTPDate.text(of: seconds) == text)
  }

  @Test func writesThePreferredForm() {
    #expect(HTTPDate.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(of: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.text(of: -1) == "Wed, 31 Dec 1969 23:59:59 GMT")
  }

  @Test func writesTimestamps() {
    #expect(HTTPDate.timestamp(of: 784_111_777) == "1994-11-06T08:49:37.000Z")
    #expect(HTTPDate.timestamp(of: -1) == "1969-12-31T23:59:59.000Z")
  }

  /// Compared with Foundation's calendar over four hundred years, including leap days.
  @Test func agreesWithFoundationsCalendar() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    for step in 0..<800 {
      let seconds = step * 15_778_463 - 1_000_000_000
      let text = HTTPDate.text(of: seconds)
      #expect(text == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
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
