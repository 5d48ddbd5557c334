//===--- JPEGUpsampling.swift - every component at the image's size -------===//
//
// Where a component has half the columns or rows, a new sample is 3/4 of the
// nearer and 1/4 of the farther old one in each halved direction; edges count
// their last sample twice. Every other ratio repeats samples, as does a width of
// one or two samples. Rounding alternates as in the widespread decoders:
//
//   columns halved   (3 a + l + 1) / 4 and (3 a + r + 2) / 4
//   rows halved      (3 a + u + 1) / 4 and (3 a + d + 2) / 4
//   both             s = 3 a + (u or d): (3 s + sl + 8) / 16 and (3 s + sr + 7) / 16
//
// Contract  Rows are made one at a time, in any order, in the row's own memory,
//           which has room for whole vectors.
// Cost      16 samples a step; a component of full size is not copied.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// Makes rows of the image's width out of a component.
final class JPEGUpsampler {
  private enum Method {
    case none, columns, rows, both
    case repeating
  }

  /// Samples before the first of `sums`, which repeat it.
  private static let lead = 16

  private let component: JPEGComponent
  private let method: Method
  /// Sampling factors of the component and of the frame.
  private let horizontal, vertical, horizontalMaximum, verticalMaximum: Int
  private let width: Int
  private let row: UnsafeMutablePointer<UInt8>
  /// Sums of the nearer and the farther row, with one sample repeated at either end.
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

  /// The samples of the image's row `y`, valid until the next call.
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

  /// The component's row `y`.
  private func source(_ y: Int) -> UnsafeMutablePointer<UInt8> { component.row(y) }

  /// The component's row nearest to the image's row `y`, and the next nearest.
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

  /// Makes two samples of each sum: 3 times itself and its neighbor, rounded.
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
      // Two samples side by side are one 16-bit number, the left one less significant.
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
