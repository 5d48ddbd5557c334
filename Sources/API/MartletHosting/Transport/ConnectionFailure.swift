//===--- ConnectionFailure.swift - codes of failed connections ------------===//
//
// Foundation on Linux reports most failures of curl as `NSURLErrorUnknown`, with curl's message.
//
// Contract  Unknown messages keep that code, which is retried.
// Source    curl: lib/vtls/openssl.c, lib/http.c, lib/http_chunks.c, lib/content_encoding.c
//===----------------------------------------------------------------------===//

import Foundation

extension ModelHostingError {
  /// Codes for server certificates that are expired, untrusted or have an unknown root.
  static let certificateCodes =
    NSURLErrorServerCertificateNotYetValid...NSURLErrorServerCertificateHasBadDate

  /// A failed connection, with the code that Apple's Foundation reports.
  init(connection error: NSError) {
    let message = error.userInfo[NSLocalizedDescriptionKey] as? String
    guard error.code == NSURLErrorUnknown, let message else {
      self = .connection(code: error.code, message: message)
      return
    }
    // curl's messages for a line or a header that is too long.
    if message == "Out of memory" || message.hasPrefix("Too large response headers") {
      self = .connection(
        code: NSURLErrorDataLengthExceedsMaximum, message: "the head of the answer is too long")
    } else {
      self = .connection(code: ModelHostingError.code(ofUnknown: message), message: message)
    }
  }

  private static func code(ofUnknown message: String) -> Int {
    func mentions(_ words: [String]) -> Bool { words.contains { message.contains($0) } }
    if mentions(["certificate"]) { return NSURLErrorServerCertificateUntrusted }
    if mentions(["SSL routines"]) { return NSURLErrorSecureConnectionFailed }
    if mentions(malformed) { return NSURLErrorCannotParseResponse }
    return NSURLErrorUnknown
  }

  /// curl's messages for responses that are not valid HTTP.
  private static let malformed = [
    "Invalid Content-Length", "Header without colon", "Nul byte in header",
    "hexadecimal sequence in chunked-encoding", "Unrecognized content encoding",
  ]
}
