//===--- Limits.swift - limits of picture files ---------------------------===//
//
// A header of a few bytes can ask for any amount of memory. Every decoder asks
// here before it allocates for what a header says.
//
// Checked   Tests/MartletCodecsTests, by every codec's suite
//===----------------------------------------------------------------------===//

/// What decoders accept at most.
enum Limits {
  /// The most pixels a picture may have: 268 million, more than any camera of one exposure.
  static let pixels = 1 << 28

  /// The most scans a progressive JPEG picture may have: each passes over the whole picture.
  static let scans = 200

  /// Whether a picture of these sides may be decoded. Both sides must be positive.
  static func allow(width: Int, height: Int) -> Bool {
    guard width > 0, height > 0 else { return false }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && count <= pixels
  }
}
