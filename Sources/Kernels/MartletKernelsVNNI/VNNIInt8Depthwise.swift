//===--- VNNIInt8Depthwise.swift - byte depthwise loops -------------------===//
//
// y[p][c] = clamp(zeroPoint + factor[c] · (bias[c] + Σ over taps t of x[p + t][c] * w[t][c]))
//
// Computes 64 or 32 adjacent outputs at a time, as many as a vector has bytes. The bytes of four
// taps are interleaved, so that each 32-bit lane has the inputs of one output. The instruction
// multiplies four unsigned bytes by signed weights and adds all products to a sum. Adjacent outputs
// are channels, continued with those of the next pixels if there are fewer.
//
// A block of weights applies to 64 adjacent outputs: a header for each vector of 16 (see
// `Int8GEMM`), then one or two parts per four taps, whose sum is the weight. Lane 4q + i of vector n
// is output 16q + 4n + i, so that 32 outputs use eight lanes of each vector.
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
    let runs = Int8DepthwiseRuns(convolution)
    if convolution.parts == 1 { runs.compute(Static1.self) } else { runs.compute(Static2.self) }
  }
}

/// The number of outputs that are computed at a time.
private var width: Int { 4 &* Sums.scalarCount }

private struct Int8DepthwiseRuns {
  private let taps: UnsafePointer<UnsafePointer<UInt8>>
  private let quads: Int
  private let weights: UnsafePointer<Int32>
  private let runs: Runs
  private let y: UnsafeMutableRawPointer
  private let output: ByteOutput
  private let packing: BytePacking
  private let flips: Bits

  @inline(__always)
  init(_ convolution: Int8Depthwise) {
    taps = convolution.taps
    quads = convolution.quads
    weights = convolution.weights
    runs = convolution.runs
    y = UnsafeMutableRawPointer(convolution.y)
    output = convolution.output
    packing = BytePacking(convolution.output)
    flips = repeated(convolution.output.flip)
  }

  func compute<Parts: Static>(_ parts: Parts.Type) {
    let (length, stride) = (runs.length, runs.stride)
    var run = 0
    // Several short runs fill a vector.
    if 2 &* length == width {
      while run &+ 2 <= runs.count {
        let first = run &* stride
        write(
          outputs(weights, parts) { joined(half($0 + first), half($0 + (first &+ stride))) },
          run, 0)
        run &+= 2
      }
    }
    #if MARTLET_V4
      if 4 &* length == width {
        while run &+ 4 <= runs.count {
          let first = run &* stride
          write(
            outputs(weights, parts) {
              joined(quarters($0 + first, stride), quarters($0 + (first &+ 2 &* stride), stride))
            }, run, 0)
          run &+= 4
        }
      }
    #endif
    #if MARTLET_V4
      // There are enough registers for two runs.
      while run &+ 2 <= runs.count {
        let first = run &* stride
        var place = 0
        while place < length {
          let lanes = lanes(place, parts)
          let (one, next) = (first &+ place, first &+ stride &+ place)
          if place &+ width <= length {
            let (a, b) = outputs(lanes, parts, { whole($0 + one) }, { whole($0 + next) })
            write(b, run &+ 1, place)
            write(a, run, place)
          } else {
            let left = length &- place
            let (a, b) = outputs(lanes, parts, { load($0 + one, left) }, { load($0 + next, left) })
            store(b, to: dest(run &+ 1, place), left)
            store(a, to: dest(run, place), left)
          }
          place &+= width
        }
        run &+= 2
      }
    #endif
    while run < runs.count {
      let first = run &* stride
      var place = 0
      while place &+ width <= length {
        write(outputs(lanes(place, parts), parts) { whole($0 + (first &+ place)) }, run, place)
        place &+= width
      }
      if place < length {
        let left = length &- place
        store(
          outputs(lanes(place, parts), parts) { load($0 + (first &+ place), left) },
          to: dest(run, place), left)
      }
      run &+= 1
    }
  }

  /// The header's fields and the weights for the outputs of a run from `place` on.
  @inline(__always)
  private func lanes<Parts: Static>(_ place: Int, _: Parts.Type) -> UnsafePointer<Int32> {
    let blockCount = 4 &* byteHeaderCount &+ quads &* Parts.value &* 64
    return weights + (place / 64 &* blockCount &+ place % 64 / 4)
  }

  @inline(__always)
  private func dest(_ run: Int, _ place: Int) -> UnsafeMutableRawPointer {
    y + (run &* runs.length &+ place)
  }

  @inline(__always)
  private func write(_ bytes: Bits, _ run: Int, _ place: Int) {
    dest(run, place).storeBytes(of: bytes, as: Bits.self)
  }

  /// Computes outputs from the weights at `lanes`. `read` returns the bytes of a tap.
  @inline(__always)
  private func outputs<Parts: Static>(
    _ lanes: UnsafePointer<Int32>, _ parts: Parts.Type, _ read: (UnsafeRawPointer) -> Bits
  ) -> Bits {
    var sums = FourSums(lanes)
    var w = lanes + 4 &* byteHeaderCount
    for quad in 0..<quads {
      sums.add(quadBytes(quad, read), w, Parts.value)
      w += Parts.value &* 64
    }
    return sums.packed(lanes, output, packing)
  }

  /// Computes two sets of outputs in parallel, which share the loads of the weights.
  @inline(__always)
  private func outputs<Parts: Static>(
    _ lanes: UnsafePointer<Int32>, _ parts: Parts.Type,
    _ readFirst: (UnsafeRawPointer) -> Bits, _ readSecond: (UnsafeRawPointer) -> Bits
  ) -> (Bits, Bits) {
    var first = FourSums(lanes)
    var second = first
    var w = lanes + 4 &* byteHeaderCount
    for quad in 0..<quads {
      first.add(quadBytes(quad, readFirst), w, Parts.value)
      second.add(quadBytes(quad, readSecond), w, Parts.value)
      w += Parts.value &* 64
    }
    return (first.packed(lanes, output, packing), second.packed(lanes, output, packing))
  }

  /// Loads the bytes of four taps, interleaved.
  @inline(__always)
  private func quadBytes(
    _ quad: Int, _ read: (UnsafeRawPointer) -> Bits
  ) -> (Sums, Sums, Sums, Sums) {
    let taps = taps + 4 &* quad
    return interleaved(
      read(UnsafeRawPointer(taps[0])) ^ flips, read(UnsafeRawPointer(taps[1])) ^ flips,
      read(UnsafeRawPointer(taps[2])) ^ flips, read(UnsafeRawPointer(taps[3])) ^ flips)
  }
}

/// The sums of a vector of outputs. Not an array, because the compiler would store it in memory.
private struct FourSums {
  private var a: Sums
  private var b: Sums
  private var c: Sums
  private var d: Sums

  /// Starts from biases.
  @inline(__always)
  init(_ lanes: UnsafePointer<Int32>) {
    a = load(lanes)
    b = load(lanes + byteHeaderCount)
    c = load(lanes + 2 &* byteHeaderCount)
    d = load(lanes + 3 &* byteHeaderCount)
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
    _ lanes: UnsafePointer<Int32>, _ output: ByteOutput, _ packing: BytePacking
  ) -> Bits {
    switch ScalingVariant(output) {
    case .rectified: packed(lanes, packing, .rectified)
    case .right: packed(lanes, packing, .right)
    case .any: packed(lanes, packing, .any)
    }
  }

  @inline(__always)
  private func packed(
    _ lanes: UnsafePointer<Int32>, _ packing: BytePacking, _ scaling: ScalingVariant
  ) -> Bits {
    packing.pack(
      ByteFactor(lanes).scaled(a, scaling),
      ByteFactor(lanes + byteHeaderCount).scaled(b, scaling),
      ByteFactor(lanes + 2 &* byteHeaderCount).scaled(c, scaling),
      ByteFactor(lanes + 3 &* byteHeaderCount).scaled(d, scaling))
  }
}

@inline(__always)
private func whole(_ place: UnsafeRawPointer) -> Bits { place.loadUnaligned(as: Bits.self) }

@inline(__always)
private func half(_ place: UnsafeRawPointer) -> HalfBits { place.loadUnaligned(as: HalfBits.self) }

@inline(__always)
private func joined(_ low: HalfBits, _ high: HalfBits) -> Bits {
  Bits(lowHalf: low, highHalf: high)
}

#if MARTLET_V4
  /// A quarter of a vector from each of two runs.
  @inline(__always)
  private func quarters(_ place: UnsafeRawPointer, _ stride: Int) -> HalfBits {
    HalfBits(
      lowHalf: place.loadUnaligned(as: __m128i.self),
      highHalf: (place + stride).loadUnaligned(as: __m128i.self))
  }
#endif
