//===--- JPEGUpsampling.swift - chroma upsampling -------------------------===//
//
// If a component has half the columns or rows, a new sample is 3/4 of the nearer and 1/4 of the
// farther old one in each halved direction; at edges the last sample is repeated. Every other
// ratio, a width of one or two samples, and an image of 1/8 of its size repeat samples. Rounding alternates as in common
// decoders:
//
//   columns halved   (3 a + l + 1) / 4 and (3 a + r + 2) / 4
//   rows halved      (3 a + u + 1) / 4 and (3 a + d + 2) / 4
//   both             s = 3 a + (u or d): (3 s + sl + 8) / 16 and (3 s + sr + 7) / 16
//
// Contract  Rows are computed one at a time, in any order. Vectors of 16 samples are loaded and
//           stored up to the first one that contains the last sample. The component's rows, `row`
//           and `sums` have `JPEGComponent.slack` more elements than samples, so that a whole
//           vector is in memory even if it begins a sample later.
// Cost      16 samples per step; a component of full size is not copied.
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
  /// The sampling factors of the component in the decoded image and the maximum of the frame.
  private let horizontal, vertical, horizontalMaximum, verticalMaximum: Int
  private let width: Int
  private let row: UnmanagedMemory<UInt8>
  /// The weighted sums of the nearer and the farther row, with one sample repeated at either end.
  private let sums: UnmanagedMemory<UInt16>

  init(_ component: JPEGComponent, _ frame: JPEGFrame) {
    self.component = component
    horizontal = component.specification.horizontal * component.side / frame.blockSide
    vertical = component.specification.vertical * component.side / frame.blockSide
    horizontalMaximum = frame.horizontalMaximum
    verticalMaximum = frame.verticalMaximum
    width = frame.decodedWidth
    let isHalfWidth = horizontal * 2 == horizontalMaximum
    let isHalfHeight = vertical * 2 == verticalMaximum
    let isWide = component.width > 2
    method =
      switch (isHalfWidth, isHalfHeight) {
      case _ where horizontal == horizontalMaximum && vertical == verticalMaximum: .none
      case _ where frame.blockSide == 1: .repeating
      case (true, false) where vertical == verticalMaximum && isWide: .columns
      case (false, true) where horizontal == horizontalMaximum: .rows
      case (true, true) where isWide: .both
      default: .repeating
      }
    row = UnmanagedMemory(zeros: 2 * component.width + width + 2 * JPEGComponent.slack)
    sums = UnmanagedMemory(zeros: component.width + Self.lead + JPEGComponent.slack)
  }

  /// Rows are used only by the renderer, which owns the upsampler.
  deinit {
    unsafe row.deallocate()
    unsafe sums.deallocate()
  }

  /// The samples for row `y` of the image; valid until the next call.
  func samples(_ y: Int) -> UnsafePointer<UInt8> {
    switch method {
    case .none: return unsafe UnsafePointer(component.row(y))
    case .columns: interpolateColumns(y)
    case .rows: interpolateRows(y)
    case .both: interpolateBoth(y)
    case .repeating: repeatSamples(y)
    }
    return unsafe UnsafePointer(row.base)
  }

  /// The component's rows nearest and next nearest to row `y` of the image.
  private func neighbors(
    _ y: Int
  ) -> (near: UnsafeMutablePointer<UInt8>, far: UnsafeMutablePointer<UInt8>) {
    let near = y / 2
    let far = min(max(near + (y & 1 == 0 ? -1 : 1), 0), component.height - 1)
    return unsafe (component.row(near), component.row(far))
  }

  private func repeatSamples(_ y: Int) {
    let source = unsafe component.row(y * vertical / verticalMaximum)
    for x in 0..<width { unsafe row.base[x] = source[x * horizontal / horizontalMaximum] }
  }

  private func interpolateRows(_ y: Int) {
    let (near, far) = unsafe neighbors(y)
    let rounding = SIMD16<UInt16>(repeating: y & 1 == 0 ? 1 : 2)
    for x in stride(from: 0, to: component.width, by: 16) {
      let sum = unsafe Self.load(near + x) &* 3 &+ Self.load(far + x) &+ rounding
      unsafe Self.store(SIMD16<UInt8>(truncatingIfNeeded: sum &>> 2), at: row.base + x)
    }
  }

  private func interpolateColumns(_ y: Int) {
    let (source, sums) = unsafe (component.row(y), sums.base + Self.lead)
    for x in stride(from: 0, to: component.width, by: 16) {
      unsafe Self.store(Self.load(source + x), at: sums + x)
    }
    spread(leftRounding: 1, rightRounding: 2, shift: 2)
  }

  private func interpolateBoth(_ y: Int) {
    let ((near, far), sums) = unsafe (neighbors(y), sums.base + Self.lead)
    for x in stride(from: 0, to: component.width, by: 16) {
      unsafe Self.store(Self.load(near + x) &* 3 &+ Self.load(far + x), at: sums + x)
    }
    spread(leftRounding: 8, rightRounding: 7, shift: 4)
  }

  /// Computes two samples from each sum: three times the sum plus a neighbor, rounded.
  private func spread(leftRounding: UInt16, rightRounding: UInt16, shift: UInt16) {
    let (first, count) = (Self.lead, component.width)
    sums[first - 1] = sums[first]
    sums[first + count] = sums[first + count - 1]
    let (left, right) = (
      SIMD16<UInt16>(repeating: leftRounding), SIMD16<UInt16>(repeating: rightRounding)
    )
    let shift = SIMD16<UInt16>(repeating: shift)
    let (source, target) = unsafe (sums.base + first, row.base)
    for x in stride(from: 0, to: count, by: 16) {
      let nearer = unsafe Self.load(source + x) &* 3
      let even = unsafe (nearer &+ Self.load(source + (x - 1)) &+ left) &>> shift
      let odd = unsafe (nearer &+ Self.load(source + (x + 1)) &+ right) &>> shift
      // Two adjacent samples form one 16-bit number; the left one is the low byte.
      unsafe Self.store(even | odd &<< 8, at: target + 2 * x)
    }
  }

  @inline(__always)
  private static func store<Vector: BitwiseCopyable>(
    _ vector: Vector, at target: UnsafeMutableRawPointer
  ) {
    unsafe target.storeBytes(of: vector, as: Vector.self)
  }

  @inline(__always)
  private static func load(_ samples: UnsafeMutablePointer<UInt8>) -> SIMD16<UInt16> {
    unsafe SIMD16(
      truncatingIfNeeded: UnsafeRawPointer(samples).loadUnaligned(as: SIMD16<UInt8>.self))
  }

  @inline(__always)
  private static func load(_ sums: UnsafeMutablePointer<UInt16>) -> SIMD16<UInt16> {
    unsafe UnsafeRawPointer(sums).loadUnaligned(as: SIMD16<UInt16>.self)
  }
}
