//===--- VP8Renderer.swift - planes to pixels -----------------------------===//
//
// Chroma has half the columns and rows. A sample of the image is 9/16 of the nearest chroma sample,
// 3/16 of each neighbor and 1/16 of the diagonal one, rounded as in libwebp:
//
//   n m      s = n + m + f + g + 8 from the nearer row (n, m) and the farther row (f, g)
//   f g      between n and m: ((s + 2 (m + f)) / 8 + n) / 2 and ((s + 2 (n + g)) / 8 + m) / 2
//
// and (3 n + f + 2) / 4 at the left and right edge. Then, from bytes to fractions of 64:
//
//   R = 298 Y + 409 V - 222.4     G = 298 Y - 100 U - 208 V + 136.1     B = 298 Y + 516 U - 276.3
//
// Contract  Rows are written in any order. The samples equal those of libwebp.
// Cost      16 samples per step.
//===----------------------------------------------------------------------===//

/// Writes rows of pixels from planes.
final class VP8Renderer {
  typealias Samples = SIMD16<UInt8>
  typealias Numbers = SIMD16<UInt16>

  private let planes: VP8Planes
  private let alpha: [UInt8]?
  private let target: WebPTarget
  /// Chroma samples of a row.
  private let u, v: UnmanagedMemory<UInt8>
  /// The pixels of a row, four bytes each.
  private let line: UnmanagedMemory<UInt32>

  /// A renderer of an image with the size of the target. `alpha` holds a byte for each pixel.
  init(_ planes: VP8Planes, alpha: [UInt8]?, to target: WebPTarget) {
    self.planes = planes
    self.alpha = alpha
    self.target = target
    let width = target.width
    u = UnmanagedMemory(zeros: width + VP8Planes.slack)
    v = UnmanagedMemory(zeros: width + VP8Planes.slack)
    line = UnmanagedMemory(zeros: width + VP8Planes.slack)
  }

  /// The memory is used only by this object.
  deinit {
    unsafe u.deallocate()
    unsafe v.deallocate()
    unsafe line.deallocate()
  }

  /// Writes a row of the image.
  func render(_ y: Int) {
    let near = unsafe planes.chromaRow(y / 2)
    let farRow = y & 1 == 0 ? y / 2 - 1 : y / 2 + 1
    let far = unsafe planes.chromaRow(min(max(farRow, 0), (target.height - 1) / 2))
    unsafe interpolate(near.u, far.u, to: u.base)
    unsafe interpolate(near.v, far.v, to: v.base)
    unsafe convert(planes.lumaRow(y))
    if let alpha {
      for x in 0..<target.width {
        let value = UInt32(alpha[y * target.width + x])
        unsafe line.base[x] = line.base[x] & 0xFF_FFFF | value << 24
      }
    }
    unsafe target.store(line.base, y)
  }

  /// Computes `width` samples of chroma. The rows have `(width + 1) / 2` samples and the slack of
  /// planes, which is also that of `target`.
  private func interpolate(
    _ near: UnsafePointer<UInt8>, _ far: UnsafePointer<UInt8>,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    let (width, last) = (self.target.width, (self.target.width - 1) / 2)
    for x in stride(from: 0, to: last, by: 16) {
      let (n, m) = unsafe (Self.load(near + x), Self.load(near + (x + 1)))
      let (f, g) = unsafe (Self.load(far + x), Self.load(far + (x + 1)))
      let sum = n &+ m &+ f &+ g &+ 8
      let left = ((sum &+ (m &+ f) &<< 1) &>> 3 &+ n) &>> 1
      let right = ((sum &+ (n &+ g) &<< 1) &>> 3 &+ m) &>> 1
      // Two adjacent samples form one 16-bit number; the left one is the low byte.
      unsafe UnsafeMutableRawPointer(target + (2 &* x &+ 1)).storeBytes(
        of: left | right &<< 8, as: Numbers.self)
    }
    unsafe target[0] = Self.edge(near[0], far[0])
    if width & 1 == 0 { unsafe target[width - 1] = Self.edge(near[last], far[last]) }
  }

  private static func edge(_ near: UInt8, _ far: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (3 * Int(near) + Int(far) + 2) / 4)
  }

  @inline(__always) private static func load(_ samples: UnsafePointer<UInt8>) -> Numbers {
    unsafe UnsafeRawPointer(samples).loadUnaligned(as: Samples.self).widened
  }

  /// Converts a row of luma and the chroma samples to pixels.
  private func convert(_ luma: UnsafePointer<UInt8>) {
    for x in stride(from: 0, to: target.width, by: 16) {
      let (y, u, v) = unsafe (
        Self.load(luma + x), Self.load(UnsafePointer(u.base + x)),
        Self.load(UnsafePointer(v.base + x))
      )
      let base = Self.product(y, 19077)
      let red = Self.byte(Self.excess(base &+ Self.product(v, 26149), 14234))
      let green = Self.byte(
        Self.excess(base &+ 8708, Self.product(u, 6419) &+ Self.product(v, 13320)))
      let blue = Self.byte(Self.excess(base &+ Self.product(u, 33050), 17685))
      let pixels = (red | green &<< 8).interleaved(with: blue | 0xFF00)
      // The line holds whole vectors.
      unsafe UnsafeMutableRawPointer(line.base + x).storeBytes(of: pixels, as: SIMD32<UInt16>.self)
    }
  }

  /// The whole part of `x factor / 256`: of 256 divides the high byte of the factor.
  @inline(__always) private static func product(_ x: Numbers, _ factor: UInt16) -> Numbers {
    x &* Numbers(repeating: factor >> 8) &+ (x &* Numbers(repeating: factor & 0xFF)) &>> 8
  }

  /// What `a` is more than `b`.
  @inline(__always) private static func excess(_ a: Numbers, _ b: Numbers) -> Numbers {
    (a &- b).replacing(with: 0, where: a .< b)
  }

  @inline(__always) private static func excess(_ a: Numbers, _ b: UInt16) -> Numbers {
    excess(a, Numbers(repeating: b))
  }

  /// The byte for a number of 64ths.
  @inline(__always) private static func byte(_ x: Numbers) -> Numbers {
    let value = x &>> 6
    let most = Numbers(repeating: 255)
    return value.replacing(with: most, where: value .> most)
  }
}
