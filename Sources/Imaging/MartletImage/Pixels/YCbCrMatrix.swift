//===--- YCbCrMatrix.swift - BT.601 luma and chroma to RGB ----------------===//
//
//   R = s·(Y − o)               + 1.402·c·(Cr − 128)
//   G = s·(Y − o) − 0.344136·c·(Cb − 128) − 0.714136·c·(Cr − 128)
//   B = s·(Y − o) + 1.772·c·(Cb − 128)
//
// with s = 1, o = 0, c = 1 for the full range (JPEG, JFIF) and s = 255/219, o = 16,
// c = 255/224 for the video range (Rec. ITU-R BT.601-7, sections 2.5.1 and 2.5.3;
// Kr = 0.299, Kb = 0.114).
//
// Contract  Coefficients are rounded to 1/65536. The sum is exact, rounded to nearest once (halves
//           up), and clamped to 0...255. The result is the nearest byte to the exact value; within
//           0.007 of a half it may be off by one. libyuv (6-bit coefficients) and OpenCV (1.164,
//           2.018, …) may differ by one or two.
//===----------------------------------------------------------------------===//

/// The BT.601 conversion for one range, with coefficients in 1/65536.
struct YCbCrMatrix {
  private let lumaOffset: Int32
  private let luma: Int32
  private let redFromRed: Int32
  private let greenFromBlue: Int32
  private let greenFromRed: Int32
  private let blueFromBlue: Int32

  init(_ range: LumaRange) {
    switch range {
    case .full:
      lumaOffset = 0
      luma = 65536  // 1
      redFromRed = 91881  // 1.402
      greenFromBlue = 22553  // 0.344136
      greenFromRed = 46802  // 0.714136
      blueFromBlue = 116130  // 1.772
    case .video:
      lumaOffset = 16
      luma = 76309  // 255/219
      redFromRed = 104597  // 1.402 · 255/224
      greenFromBlue = 25675  // 0.344136 · 255/224
      greenFromRed = 53279  // 0.714136 · 255/224
      blueFromBlue = 132201  // 1.772 · 255/224
    }
  }

  /// Converts a row to RGB. Two neighboring pixels share a pair of chroma bytes; pairs are
  /// `chromaStep` bytes apart. Input and output must have `count` pixels, the chroma half as many
  /// pairs, rounded up.
  @inline(__always)
  func convert(
    luma row: UnsafePointer<UInt8>, blue: UnsafePointer<UInt8>, red: UnsafePointer<UInt8>,
    chromaStep: Int, count: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    let half: Int32 = 1 << 15
    var x = 0
    while x < count {
      let cb = unsafe Int32(blue[x / 2 &* chromaStep]) &- 128
      let cr = unsafe Int32(red[x / 2 &* chromaStep]) &- 128
      let r = cr &* redFromRed &+ half
      let g = half &- cb &* greenFromBlue &- cr &* greenFromRed
      let b = cb &* blueFromBlue &+ half
      unsafe write(row[x], r, g, b, to: output + x &* 3)
      if x &+ 1 < count { unsafe write(row[x &+ 1], r, g, b, to: output + (x &* 3 &+ 3)) }
      x &+= 2
    }
  }

  /// Adds luma to the chroma terms and stores the clamped bytes.
  @inline(__always)
  private func write(
    _ y: UInt8, _ r: Int32, _ g: Int32, _ b: Int32, to output: UnsafeMutablePointer<UInt8>
  ) {
    let brightness = (Int32(y) &- lumaOffset) &* luma
    unsafe output[0] = clamped((brightness &+ r) >> 16)
    unsafe output[1] = clamped((brightness &+ g) >> 16)
    unsafe output[2] = clamped((brightness &+ b) >> 16)
  }

  @inline(__always)
  private func clamped(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, value)))
  }
}
