//===--- Area.swift - checked sizes in samples and bytes ------------------===//
//
// Sides come from files and callers, so the products of sides, samples and bits are checked.
//
// Contract  Each result is exact, or nil if it exceeds the integer type or a factor is negative. The
//           functions are generic, so that tests run them with the 32 bits of WebAssembly's `Int`.
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
}
