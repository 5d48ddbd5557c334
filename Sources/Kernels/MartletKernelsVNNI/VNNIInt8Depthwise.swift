//===--- VNNIInt8Depthwise.swift - byte depthwise loops -------------------===//
//
// y[p][c] = clamp(zeroPoint + factor[c] · (bias[c] + Σ over taps t of x[p + t][c] * w[t][c]))
//
// Computes 64 adjacent outputs at a time. The bytes of four taps are interleaved, so that each
// 32-bit lane has the inputs of one output. The instruction multiplies four unsigned bytes by
// signed weights and adds all products to a sum. Adjacent outputs are channels, continued with
// those of the next pixels if there are fewer.
//
// A block of weights applies to 64 adjacent outputs: a header for each vector of 16 (see
// `Int8Requantize.swift`), then one or two parts per four taps, whose sum is the weight. Lane 4q +
// i of vector n is output 16q + 4n + i.
//
// Contract  Bit-exact with the reference kernel. Sums wrap. Reads nothing outside the outputs'
//           taps.
// Cost      2 · pixels · taps · channels operations; twice as many for two parts.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

extension Level {
  /// Every run begins with the first block. If runs have 16 or 32 outputs, their only block repeats
  /// the weights.
  package static func int8Depthwise(_ convolution: Int8Depthwise) {
    let rows = Int8DepthwiseRuns(
      taps: convolution.taps, quads: convolution.quads, weights: convolution.weights,
      runStride: convolution.runs.stride, length: convolution.runs.length,
      y: UnsafeMutableRawPointer(convolution.y), flip: repeated(convolution.output.flip),
      packing: BytePacking(convolution.output))
    let runs = convolution.runs.count
    switch (convolution.parts, convolution.output.isRectified) {
    case (1, true): rows.compute(runs, Static1.self, Static1.self)
    case (1, false): rows.compute(runs, Static1.self, Static0.self)
    case (_, true): rows.compute(runs, Static2.self, Static1.self)
    case (_, false): rows.compute(runs, Static2.self, Static0.self)
    }
  }
}

private struct Int8DepthwiseRuns {
  let taps: UnsafePointer<UnsafePointer<UInt8>>
  let quads: Int
  let weights: UnsafePointer<Int32>
  let runStride: Int
  let length: Int
  let y: UnsafeMutableRawPointer
  let flip: __m512i
  let packing: BytePacking

  func compute<Parts: Static, Rectified: Static>(
    _ runs: Int, _ parts: Parts.Type, _ rectified: Rectified.Type
  ) {
    var run = 0
    if length == 32 {
      while run &+ 2 <= runs {
        let first = run &* runStride
        let bytes = outputs(weights, parts, rectified) { tap in
          __m512i(
            lowHalf: (tap + first).loadUnaligned(as: SIMD4<Int64>.self),
            highHalf: (tap + (first &+ runStride)).loadUnaligned(as: SIMD4<Int64>.self))
        }
        (y + 32 &* run).storeBytes(of: bytes, as: __m512i.self)
        run &+= 2
      }
    } else if length == 16 {
      while run &+ 4 <= runs {
        let first = run &* runStride
        let bytes = outputs(weights, parts, rectified) { tap in
          let low = SIMD4<Int64>(
            lowHalf: (tap + first).loadUnaligned(as: SIMD2<Int64>.self),
            highHalf: (tap + (first &+ runStride)).loadUnaligned(as: SIMD2<Int64>.self))
          let third = first &+ 2 &* runStride
          let high = SIMD4<Int64>(
            lowHalf: (tap + third).loadUnaligned(as: SIMD2<Int64>.self),
            highHalf: (tap + (third &+ runStride)).loadUnaligned(as: SIMD2<Int64>.self))
          return __m512i(lowHalf: low, highHalf: high)
        }
        (y + 16 &* run).storeBytes(of: bytes, as: __m512i.self)
        run &+= 4
      }
    }
    while run &+ 2 <= runs {
      let first = run &* runStride
      forEachBlock(
        of: run, Parts.value,
        { block, place, dest in
          let (one, next) = outputs(
            block, parts, rectified,
            { ($0 + (first &+ place)).loadUnaligned(as: __m512i.self) },
            { ($0 + (first &+ runStride &+ place)).loadUnaligned(as: __m512i.self) })
          (dest + length).storeBytes(of: next, as: __m512i.self)
          dest.storeBytes(of: one, as: __m512i.self)
        },
        { block, place, dest, mask in
          let (one, next) = outputs(
            block, parts, rectified,
            { _mm512_maskz_loadu_epi8(mask, $0 + (first &+ place)) },
            { _mm512_maskz_loadu_epi8(mask, $0 + (first &+ runStride &+ place)) })
          _mm512_mask_storeu_epi8(dest + length, mask, next)
          _mm512_mask_storeu_epi8(dest, mask, one)
        })
      run &+= 2
    }
    guard run < runs else { return }
    let last = run &* runStride
    forEachBlock(
      of: run, Parts.value,
      { block, place, dest in
        let bytes = outputs(block, parts, rectified) {
          ($0 + (last &+ place)).loadUnaligned(as: __m512i.self)
        }
        dest.storeBytes(of: bytes, as: __m512i.self)
      },
      { block, place, dest, mask in
        let bytes = outputs(block, parts, rectified) {
          _mm512_maskz_loadu_epi8(mask, $0 + (last &+ place))
        }
        _mm512_mask_storeu_epi8(dest, mask, bytes)
      })
  }

  /// Calls `whole` for the blocks of a run with their weights, their position in the run and their
  /// outputs; calls `rest` for the last block if it is shorter, also with the mask of its bytes.
  @inline(__always)
  private func forEachBlock(
    of run: Int, _ parts: Int,
    _ whole: (UnsafePointer<Int32>, Int, UnsafeMutableRawPointer) -> Void,
    _ rest: (UnsafePointer<Int32>, Int, UnsafeMutableRawPointer, UInt64) -> Void
  ) {
    let dest = y + run &* length
    var block = weights
    var place = 0
    while place &+ 64 <= length {
      whole(block, place, dest + place)
      place &+= 64
      block += 4 &* byteHeaderCount &+ quads &* parts &* 64
    }
    if place < length { rest(block, place, dest + place, byteMask(length &- place)) }
  }

  /// Computes the outputs of one block of weights.
  @inline(__always)
  private func outputs<Parts: Static, Rectified: Static>(
    _ block: UnsafePointer<Int32>, _ parts: Parts.Type, _ rectified: Rectified.Type,
    _ read: (UnsafeRawPointer) -> __m512i
  ) -> __m512i {
    var sums = SumsOf64(block)
    var w = block + 4 &* byteHeaderCount
    for quad in 0..<quads {
      sums.add(interleaved(quad, read), w, Parts.value)
      w += Parts.value &* 64
    }
    return sums.packed(block, packing, Rectified.value == 1)
  }

  /// Computes two sets of outputs in parallel, which share the loads of the block.
  @inline(__always)
  private func outputs<Parts: Static, Rectified: Static>(
    _ block: UnsafePointer<Int32>, _ parts: Parts.Type, _ rectified: Rectified.Type,
    _ readFirst: (UnsafeRawPointer) -> __m512i, _ readSecond: (UnsafeRawPointer) -> __m512i
  ) -> (__m512i, __m512i) {
    var first = SumsOf64(block)
    var second = first
    var w = block + 4 &* byteHeaderCount
    for quad in 0..<quads {
      first.add(interleaved(quad, readFirst), w, Parts.value)
      second.add(interleaved(quad, readSecond), w, Parts.value)
      w += Parts.value &* 64
    }
    return (
      first.packed(block, packing, Rectified.value == 1),
      second.packed(block, packing, Rectified.value == 1)
    )
  }

  /// Loads the bytes of four taps of 64 outputs, interleaved.
  @inline(__always)
  private func interleaved(
    _ quad: Int, _ read: (UnsafeRawPointer) -> __m512i
  ) -> (Sums, Sums, Sums, Sums) {
    let taps = taps + 4 &* quad
    let a = _mm512_xor_si512(read(UnsafeRawPointer(taps[0])), flip)
    let b = _mm512_xor_si512(read(UnsafeRawPointer(taps[1])), flip)
    let c = _mm512_xor_si512(read(UnsafeRawPointer(taps[2])), flip)
    let d = _mm512_xor_si512(read(UnsafeRawPointer(taps[3])), flip)
    let lowFirst = _mm512_unpacklo_epi8(a, b)
    let lowSecond = _mm512_unpacklo_epi8(c, d)
    let highFirst = _mm512_unpackhi_epi8(a, b)
    let highSecond = _mm512_unpackhi_epi8(c, d)
    return (
      unsafeBitCast(_mm512_unpacklo_epi16(lowFirst, lowSecond), to: Sums.self),
      unsafeBitCast(_mm512_unpackhi_epi16(lowFirst, lowSecond), to: Sums.self),
      unsafeBitCast(_mm512_unpacklo_epi16(highFirst, highSecond), to: Sums.self),
      unsafeBitCast(_mm512_unpackhi_epi16(highFirst, highSecond), to: Sums.self)
    )
  }
}

/// The sums of 64 outputs. Not an array, because the compiler would store it in memory.
private struct SumsOf64 {
  private var a: Sums
  private var b: Sums
  private var c: Sums
  private var d: Sums

  /// Starts from the biases of a block.
  @inline(__always)
  init(_ block: UnsafePointer<Int32>) {
    a = load(block)
    b = load(block + byteHeaderCount)
    c = load(block + 2 &* byteHeaderCount)
    d = load(block + 3 &* byteHeaderCount)
  }

  @inline(__always)
  mutating func add(_ x: (Sums, Sums, Sums, Sums), _ w: UnsafePointer<Int32>, _ parts: Int) {
    a = addQuads(a, x.0, load(w))
    b = addQuads(b, x.1, load(w + 16))
    c = addQuads(c, x.2, load(w + 32))
    d = addQuads(d, x.3, load(w + 48))
    if parts == 2 {
      a = addQuads(a, x.0, load(w + 64))
      b = addQuads(b, x.1, load(w + 80))
      c = addQuads(c, x.2, load(w + 96))
      d = addQuads(d, x.3, load(w + 112))
    }
  }

  @inline(__always)
  func packed(
    _ block: UnsafePointer<Int32>, _ packing: BytePacking, _ isRectified: Bool
  ) -> __m512i {
    packing.pack(
      ByteFactor(block).scale(a, isRectified),
      ByteFactor(block + byteHeaderCount).scale(b, isRectified),
      ByteFactor(block + 2 &* byteHeaderCount).scale(c, isRectified),
      ByteFactor(block + 3 &* byteHeaderCount).scale(d, isRectified))
  }
}
