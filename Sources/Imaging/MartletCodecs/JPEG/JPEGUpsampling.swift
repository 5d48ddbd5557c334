//===--- JPEGUpsampling.swift - chroma upsampling -------------------------===//
//
// If a component has half the columns or rows, a new sample is 3/4 of the nearer and 1/4 of the
// farther old one in each halved direction; at edges the last sample is repeated. Every other
// ratio, and a width of one or two samples, repeats samples. Rounding alternates as in common
// decoders:
//
//   columns halved   (3 a + l + 1) / 4 and (3 a + r + 2) / 4
//   rows halved      (3 a + u + 1) / 4 and (3 a + d + 2) / 4
//   both             s = 3 a + (u or d): (3 s + sl + 8) / 16 and (3 s + sr + 7) / 16
//
// Contract  Rows are computed one at a time, in any order, into a buffer with room for whole
//           vectors.
// Cost      16 samples per step; a component of full size is not copied.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// Scales the rows of a component to the image's width.
final class JPEGUpsampler {
  private enum Method {
    case none, columns, rows, both
    case repeating
  }

  /// The number of samples before the first of `sums`; the last of them repeats the first sum.
  private static let lead = 16

  private let component: JPEGComponent
  private let method: Method
  /// The sampling factors of the component and the maximum of the frame.
  private let horizontal, vertical, horizontalMaximum, verticalMaximum: Int
  private let width: Int
  private let row: UnsafeMutablePointer<UInt8>
  /// The weighted sums of the nearer and the farther row, with one sample repeated at either end.
  private let sums: UnsafeMutablePointer<UInt16>

  init(_ component: JPEGComponent, _ frame: JPEGFrame) {
    self.component = component
    horizontal = component.specification.horizontal
    vertical = component.specification.vertical
    horizontalMaximum = frame.horizontalMaximum
    verticalMaximum = frame.verticalMaximum
    width = frame.width
    let isHalfWidth = horizontal * 2 == horizontalMaximum
    let isHalfHeight = vertical * 2 == verticalMaximum
    let isWide = component.width > 2
    method =
      switch (isHalfWidth, isHalfHeight) {
      case _ where horizontal == horizontalMaximum && vertical == verticalMaximum: .none
      case (true, false) where vertical == verticalMaximum && isWide: .columns
      case (false, true) where horizontal == horizontalMaximum: .rows
      case (true, true) where isWide: .both
      default: .repeating
      }
    let rowCapacity = 2 * component.width + width + 2 * JPEGComponent.slack
    row = .allocate(capacity: rowCapacity)
    row.initialize(repeating: 0, count: rowCapacity)
    let sumCapacity = component.width + Self.lead + JPEGComponent.slack
    sums = .allocate(capacity: sumCapacity)
    sums.initialize(repeating: 0, count: sumCapacity)
  }

  deinit {
    row.deallocate()
    sums.deallocate()
  }

  /// The samples for row `y` of the image; valid until the next call.
  func samples(_ y: Int) -> UnsafePointer<UInt8> {
    switch method {
    case .none: return UnsafePointer(source(y))
    case .columns: interpolateColumns(y)
    case .rows: interpolateRows(y)
    case .both: interpolateBoth(y)
    case .repeating: repeatSamples(y)
    }
    return UnsafePointer(row)
  }

  /// Row `y` of the component.
  private func source(_ y: Int) -> UnsafeMutablePointer<UInt8> { component.row(y) }

  /// The component's rows nearest and next nearest to row `y` of the image.
  private func neighbors(
    _ y: Int
  ) -> (near: UnsafeMutablePointer<UInt8>, far: UnsafeMutablePointer<UInt8>) {
    let near = y / 2
    let far = min(max(near + (y & 1 == 0 ? -1 : 1), 0), component.height - 1)
    return (source(near), source(far))
  }

  private func repeatSamples(_ y: Int) {
    let source = source(y * vertical / verticalMaximum)
    for x in 0..<width { row[x] = source[x * horizontal / horizontalMaximum] }
  }

  private func interpolateRows(_ y: Int) {
    let (near, far) = neighbors(y)
    let rounding = SIMD16<UInt16>(repeating: y & 1 == 0 ? 1 : 2)
    for x in stride(from: 0, to: component.width, by: 16) {
      let sum = Self.load(near + x) &* 3 &+ Self.load(far + x) &+ rounding
      UnsafeMutableRawPointer(row + x).storeBytes(
        of: SIMD16<UInt8>(truncatingIfNeeded: sum &>> 2), as: SIMD16<UInt8>.self)
    }
  }

  private func interpolateColumns(_ y: Int) {
    let source = source(y)
    for x in stride(from: 0, to: component.width, by: 16) {
      store(Self.load(source + x), toSums: x)
    }
    spread(leftRounding: 1, rightRounding: 2, shift: 2)
  }

  private func interpolateBoth(_ y: Int) {
    let (near, far) = neighbors(y)
    for x in stride(from: 0, to: component.width, by: 16) {
      store(Self.load(near + x) &* 3 &+ Self.load(far + x), toSums: x)
    }
    spread(leftRounding: 8, rightRounding: 7, shift: 4)
  }

  /// Computes two samples from each sum: three times the sum plus a neighbor, rounded.
  private func spread(leftRounding: UInt16, rightRounding: UInt16, shift: UInt16) {
    let first = sums + Self.lead
    first[-1] = first[0]
    first[component.width] = first[component.width - 1]
    let (left, right) = (
      SIMD16<UInt16>(repeating: leftRounding), SIMD16<UInt16>(repeating: rightRounding)
    )
    let shift = SIMD16<UInt16>(repeating: shift)
    for x in stride(from: 0, to: component.width, by: 16) {
      let nearer = Self.load(first + x) &* 3
      let even = (nearer &+ Self.load(first + (x - 1)) &+ left) &>> shift
      let odd = (nearer &+ Self.load(first + (x + 1)) &+ right) &>> shift
      // Two adjacent samples form one 16-bit number; the left one is the low byte.
      UnsafeMutableRawPointer(row + 2 * x).storeBytes(
        of: even | odd &<< 8, as: SIMD16<UInt16>.self)
    }
  }

  private func store(_ values: SIMD16<UInt16>, toSums x: Int) {
    UnsafeMutableRawPointer(sums + (Self.lead + x)).storeBytes(
      of: values, as: SIMD16<UInt16>.self)
  }

  @inline(__always)
  private static func load(_ samples: UnsafeMutablePointer<UInt8>) -> SIMD16<UInt16> {
    SIMD16(truncatingIfNeeded: UnsafeRawPointer(samples).loadUnaligned(as: SIMD16<UInt8>.self))
  }

  @inline(__always)
  private static func load(_ sums: UnsafeMutablePointer<UInt16>) -> SIMD16<UInt16> {
    UnsafeRawPointer(sums).loadUnaligned(as: SIMD16<UInt16>.self)
  }
}
