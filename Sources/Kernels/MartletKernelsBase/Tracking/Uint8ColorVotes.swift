//===--- Uint8ColorVotes.swift - color range votes ------------------------===//
//
// Compares four pixels at a time with an earlier frame. Their positions in that frame are assumed
// to be adjacent in a row. Colors between pixels are interpolated bilinearly in steps of 1/16.
//
// Contract  Exact except for the positions, which are floats. Each of their sums is rounded, without
//           fused multiply-add.
// Cost      About twenty operations per pixel.
// Checked   Tests/MartletKernelsTests/Uint8ColorVotesTests.swift
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func uint8ColorVotes(_ row: Uint8ColorVotes) {
    let (middleX, middleY) = (Float(row.width &- 1) / 2, Float(row.height &- 1) / 2)
    let (endX, endY) = (Float(row.width &- 1), Float(row.height &- 1))
    var x = 0
    while x < row.width {
      let column = row.start.x + row.step.x * Float(x) + middleX - 1.5
      let line = row.start.y + row.step.y * Float(x) + middleY
      if column > -4, line >= 0, column < endX, line < endY {
        vote(row, x, Place(column, line))
      }
      x &+= 4
    }
  }

  /// Votes for four pixels from `x` on, if they are in the row and in the earlier frame.
  @inline(__always)
  private static func vote(_ row: Uint8ColorVotes, _ x: Int, _ place: Place) {
    let color = place.color(row.earlier, row.width)
    let (low, high) = (wide(row.low + 4 &* x), wide(row.high + 4 &* x))
    // A negative difference has its highest bit set.
    let signs = unsafeBitCast((color &- low) | (high &- color), to: SIMD4<UInt64>.self)
    let isOut = signs & SIMD4(repeating: 0x8000_8000_8000_8000)
    let either = SIMD4<UInt32>(truncatingIfNeeded: isOut | isOut &>> 32)
    let votes = SIMD4<Int8>(
      truncatingIfNeeded: SIMD4<Int32>(repeating: 1)
        .replacing(with: SIMD4(repeating: -1), where: either .== .zero))
    let first = max(0, 0 &- place.left)
    let end = min(4, row.width &- x, row.width &- 1 &- place.left)
    if first == 0, end == 4 {
      store(load(row.votes + x) &+ votes, to: row.votes + x)
    } else {
      for lane in 0..<4 where lane >= first && lane < end { row.votes[x &+ lane] &+= votes[lane] }
    }
  }
}

/// Levels of four pixels, widened to 16 bits.
private typealias Wide = SIMD16<UInt16>

/// Loads the levels of four pixels.
@inline(__always)
private func wide(_ pixels: UnsafePointer<UInt8>) -> Wide {
  #if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
    let bytes = UnsafeRawPointer(pixels).loadUnaligned(as: __m128i.self)
    return unsafeBitCast(_mm256_cvtepu8_epi16(bytes), to: Wide.self)
  #else
    let bytes: ShortLanes = UnsafeRawPointer(pixels).loadUnaligned(as: ShortLanes.self)
    let halves = interleaveBytes(bytes, .zero)
    return unsafeBitCast(SIMD16(lowHalf: halves.low, highHalf: halves.high), to: Wide.self)
  #endif
}

/// A position between four pixels.
private struct Place {
  let left, top: Int
  /// The distances from the left and upper pixels in sixteenths.
  let right, lower: UInt16

  @inline(__always)
  init(_ column: Float, _ line: Float) {
    // Truncation rounds towards zero; adding 4 first makes it round down.
    left = truncated(column + 4) &- 4
    top = truncated(line)
    right = UInt16(truncatingIfNeeded: truncated((column - Float(left)) * 16))
    lower = UInt16(truncatingIfNeeded: truncated((line - Float(top)) * 16))
  }

  /// The interpolated colors of four pixels, starting at this position.
  @inline(__always)
  func color(_ frame: UnsafePointer<UInt8>, _ width: Int) -> Wide {
    let upperRow = frame + 4 &* (top &* width &+ left)
    let lowerRow = upperRow + 4 &* width
    let sum =
      wide(upperRow) &* Wide(repeating: (16 &- right) &* (16 &- lower))
      &+ wide(upperRow + 4) &* Wide(repeating: right &* (16 &- lower))
      &+ wide(lowerRow) &* Wide(repeating: (16 &- right) &* lower)
      &+ wide(lowerRow + 4) &* Wide(repeating: right &* lower)
    return (sum &+ Wide(repeating: 128)) &>> Wide(repeating: 8)
  }
}

/// The truncated value of a number that fits in 32 bits.
@inline(__always)
private func truncated(_ x: Float) -> Int {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    Int(_mm_cvttss_si32(SIMD4(x, 0, 0, 0)))
  #else
    Int(x)
  #endif
}
