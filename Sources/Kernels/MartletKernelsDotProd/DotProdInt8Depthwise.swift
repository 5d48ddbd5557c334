//===--- DotProdInt8Depthwise.swift - byte depthwise loops ----------------===//
//
// y[p][c] = clamp(zeroPoint + factor[c] · (bias[c] + Σ over taps t of (x[p + t][c] - 128) * w[t][c]))
//
// Computes 16 adjacent outputs at a time, those of all runs before the next 16. The bytes of four
// taps are interleaved, so that each 32-bit lane has the inputs of one output. The instruction
// multiplies four bytes by four others and adds all products to a sum.
//
// A block of weights applies to 64 adjacent outputs: a header for each vector of 16 (see
// `Int8GEMM`), then one or two parts per four taps, whose sum is the weight. Lane 4q + i of vector
// n is output 16q + 4n + i, so that 16 outputs use four lanes of each vector.
//
// Contract  Bit-exact with the reference kernel. Sums wrap. Reads nothing outside the outputs'
//           taps.
// Cost      2 · pixels · taps · channels operations; twice as many for two parts.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  extension Level {
    @export(interface) package static func int8Depthwise(_ convolution: Int8Depthwise) {
      let runs = Int8DepthwiseRuns(convolution)
      if convolution.parts == 1 {
        runs.compute(Static1.self)
      } else {
        runs.compute(Static2.self)
      }
    }
  }

  private struct Int8DepthwiseRuns {
    private let taps: UnsafePointer<UnsafePointer<UInt8>>
    private let quads: Int
    private let weights: UnsafePointer<Int32>
    private let runs: Runs
    private let y: UnsafeMutableRawPointer
    private let flips: Bytes
    private let packing: BytePacking

    @inline(__always)
    init(_ convolution: Int8Depthwise) {
      taps = convolution.taps
      quads = convolution.quads
      weights = convolution.weights
      runs = convolution.runs
      y = UnsafeMutableRawPointer(convolution.y)
      flips = signing(convolution.output.flip)
      packing = BytePacking(convolution.output)
    }

    func compute<Parts: Static>(_ parts: Parts.Type) {
      let blockCount = 4 &* byteHeaderCount &+ quads &* parts.value &* 64
      var place = 0
      while place < runs.length {
        let block = weights + place / 64 &* blockCount
        let lane = place % 64 / 4
        let left = runs.length &- place
        if left >= 16 {
          compute(block, lane, place, parts, 16)
        } else {
          compute(block, lane, place, parts, left)
        }
        place &+= 16
      }
    }

    /// Computes the `width` outputs of each run that begin at `place` and whose lanes begin at
    /// `lane`.
    @inline(__always)
    private func compute<Parts: Static>(
      _ block: UnsafePointer<Int32>, _ lane: Int, _ place: Int, _ parts: Parts.Type, _ width: Int
    ) {
      let factors = (
        ByteFactor(block, lane: lane), ByteFactor(block + byteHeaderCount, lane: lane),
        ByteFactor(block + 2 &* byteHeaderCount, lane: lane),
        ByteFactor(block + 3 &* byteHeaderCount, lane: lane)
      )
      var run = 0
      while run &+ 2 <= runs.count {
        var sums = sums(Registers8<Sums>.self, block + lane, run, place, parts, width)
        for i in 0..<2 {
          let bytes = packing.pack(
            factors.0.scale(sums[4 &* i]), factors.1.scale(sums[4 &* i &+ 1]),
            factors.2.scale(sums[4 &* i &+ 2]), factors.3.scale(sums[4 &* i &+ 3]))
          store(bytes, to: y + ((run &+ i) &* runs.length &+ place), width)
        }
        run &+= 2
      }
      if run < runs.count {
        var sums = sums(Registers4<Sums>.self, block + lane, run, place, parts, width)
        let bytes = packing.pack(
          factors.0.scale(sums[0]), factors.1.scale(sums[1]), factors.2.scale(sums[2]),
          factors.3.scale(sums[3]))
        store(bytes, to: y + (run &* runs.length &+ place), width)
      }
    }

    /// Computes the sums of runs, four vectors each.
    @inline(__always)
    private func sums<Outputs: Registers<Sums>, Parts: Static>(
      _: Outputs.Type, _ lanes: UnsafePointer<Int32>, _ run: Int, _ place: Int,
      _: Parts.Type, _ width: Int
    ) -> Outputs {
      let count = Outputs.count
      var sums = Outputs(repeating: .zero)
      for i in 0..<count { sums[i] = load(lanes + i % 4 &* byteHeaderCount) }
      var w = lanes + 4 &* byteHeaderCount
      for quad in 0..<quads {
        for r in 0..<count / 4 {
          var bytes = interleaved(quad, (run &+ r) &* runs.stride &+ place, width)
          for part in 0..<Parts.value {
            for n in 0..<4 {
              let i = 4 &* r &+ n
              sums[i] = addQuads(sums[i], bytes[n], load(w + (64 &* part &+ 16 &* n)))
            }
          }
        }
        w += 64 &* Parts.value
      }
      return sums
    }

    /// Loads the bytes of four taps of 16 outputs, interleaved.
    @inline(__always)
    private func interleaved(_ quad: Int, _ offset: Int, _ width: Int) -> Registers4<Sums> {
      let taps = taps + 4 &* quad
      let a = load(taps[0] + offset, width) ^ flips
      let b = load(taps[1] + offset, width) ^ flips
      let c = load(taps[2] + offset, width) ^ flips
      let d = load(taps[3] + offset, width) ^ flips
      let low = (pairs(vzip1q_u8(a, b)), pairs(vzip1q_u8(c, d)))
      let high = (pairs(vzip2q_u8(a, b)), pairs(vzip2q_u8(c, d)))
      var quads = Registers4<Sums>(repeating: .zero)
      quads[0] = fours(vzip1q_u16(low.0, low.1))
      quads[1] = fours(vzip2q_u16(low.0, low.1))
      quads[2] = fours(vzip1q_u16(high.0, high.1))
      quads[3] = fours(vzip2q_u16(high.0, high.1))
      return quads
    }

    @inline(__always)
    private func pairs(_ bytes: Bytes) -> uint16x8_t { unsafeBitCast(bytes, to: uint16x8_t.self) }

    @inline(__always)
    private func fours(_ pairs: uint16x8_t) -> Sums { unsafeBitCast(pairs, to: Sums.self) }
  }
#endif
