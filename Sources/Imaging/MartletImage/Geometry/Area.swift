//===--- Area.swift - checked sizes in samples and bytes ------------------===//
//
// Sides come from files and callers, so the products of sides, samples and bits are checked.
//
// Contract  Each result is exact, or nil if it exceeds the integer type or a factor is negative. The
//           functions are generic, so that tests run them with the 32 bits of WebAssembly's `Int`.
// Checked   Tests/MartletImageTests/AreaTests.swift
//===----------------------------------------------------------------------===//

/// Checked numbers of samples and bytes.
package enum Area {
  /// The number of samples of `width` times `height` pixels with `channels` samples each.
  package static func samples<Count: FixedWidthInteger>(
    _ width: Count, _ height: Count, _ channels: Count = 1
  ) -> Count? {
    guard width >= 0, height >= 0, channels >= 0 else { return nil }
    let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
    let (samples, hasTooMany) = pixels.multipliedReportingOverflow(by: channels)
    return isTooLarge || hasTooMany ? nil : samples
  }

  /// The number of bytes of a row of `width` pixels with `bitsPerPixel` bits each, rounded up to a
  /// multiple of `alignment` bytes.
  ///
  /// - Precondition: `bitsPerPixel` is at most 2²⁷, and `alignment` is positive.
  package static func rowBytes<Count: FixedWidthInteger>(
    _ width: Count, bitsPerPixel: Count, alignment: Count = 1
  ) -> Count? {
    // Groups of eight pixels are whole bytes; the bits of the row could exceed the type.
    guard let groups = samples(width / 8, bitsPerPixel) else { return nil }
    let (bytes, isTooLarge) = groups.addingReportingOverflow((width % 8 * bitsPerPixel + 7) / 8)
    let (padded, isTooLong) = bytes.addingReportingOverflow(alignment - 1)
    return width < 0 || isTooLarge || isTooLong ? nil : padded / alignment * alignment
  }
}
