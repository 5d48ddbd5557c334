//===--- DotProdInt8Depthwise.swift - byte depthwise loops ----------------===//
//
// y[p][c] = clamp(zeroPoint + factor[c] · (bias[c] + Σ over taps t of (x[p + t][c] - 128) * w[t][c]))
//
// Computes 16 adjacent outputs at a time, those of all runs before the next 16. The bytes of four
// taps are interleaved, so that each 32-bit lane has the inputs of one output. The instruction
// multiplies four bytes by four others and adds all products to a sum. For windows of three by
// three, the taps of a column are interleaved once for all runs that use them.
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
    @export(interface) @inline(never)
    package static func int8Depthwise(_ convolution: Int8Depthwise) {
      if convolution.output.flip != 0 {
        Int8DepthwiseRuns<SignedByte, Static1>(convolution).compute(convolution.sharedQuads)
      } else if convolution.parts == 1 {
        Int8DepthwiseRuns<UnsignedByte, Static1>(convolution).compute(convolution.sharedQuads)
      } else {
        Int8DepthwiseRuns<UnsignedByte, Static2>(convolution).compute(convolution.sharedQuads)
      }
    }
  }

  private struct Int8DepthwiseRuns<Byte: ByteType, Parts: Static> {
    private let taps: UnsafePointer<UnsafePointer<UInt8>>
    private let quads: Int
    private let weights: UnsafePointer<Int32>
    private let runs: Runs
    private let y: UnsafeMutableRawPointer
    private let output: ByteOutput
    private let packing: BytePacking<Byte>

    @inline(__always)
    init(_ convolution: Int8Depthwise) {
      taps = convolution.taps
      quads = convolution.quads
      weights = convolution.weights
      runs = convolution.runs
      y = UnsafeMutableRawPointer(convolution.y)
      output = convolution.output
      packing = BytePacking(convolution.output)
    }

    func compute(_ sharedQuads: Int) {
      guard runs.count > 0 else { return }
      let blockCount = 4 &* byteHeaderCount &+ quads &* Parts.value &* 64
      var place = 0
      while place < runs.length {
        let lanes = weights + (place / 64 &* blockCount &+ place % 64 / 4)
        let left = runs.length &- place
        switch sharedQuads {
        case 1: computeAdjacent(lanes, place)
        case 2: computeAlternate(lanes, place)
        default:
          if left >= 16 { compute(lanes, place, 16) } else { compute(lanes, place, left) }
        }
        place &+= 16
      }
    }

    // MARK: Runs with taps of their own

    /// Computes the `width` outputs of each run that begin at `place`.
    @inline(__always)
    private func compute(_ lanes: UnsafePointer<Int32>, _ place: Int, _ width: Int) {
      let factors = ByteFactors(lanes, lane: 0, stride: byteHeaderCount)
      var run = 0
      while run &+ 2 <= runs.count {
        var sums = sums(Registers8<Sums>.self, lanes, run, place, width)
        write(&sums, factors, run, place, width)
        run &+= 2
      }
      if run < runs.count {
        var sums = sums(Registers4<Sums>.self, lanes, run, place, width)
        write(&sums, factors, run, place, width)
      }
    }

    /// Computes the sums of runs, four vectors each.
    @inline(__always)
    private func sums<Outputs: Registers<Sums>>(
      _: Outputs.Type, _ lanes: UnsafePointer<Int32>, _ run: Int, _ place: Int, _ width: Int
    ) -> Outputs {
      let count = Outputs.count
      var sums = Outputs(repeating: .zero)
      for i in 0..<count { sums[i] = load(lanes + i % 4 &* byteHeaderCount) }
      var w = lanes + 4 &* byteHeaderCount
      for quad in 0..<quads {
        for r in 0..<count / 4 {
          let taps = taps + 4 &* quad
          let offset = (run &+ r) &* runs.stride &+ place
          let bytes = SumsOf16(
            Byte.signed(load(taps[0] + offset, width)), Byte.signed(load(taps[1] + offset, width)),
            Byte.signed(load(taps[2] + offset, width)), Byte.signed(load(taps[3] + offset, width)))
          for part in 0..<Parts.value {
            let w = w + 64 &* part
            sums[4 &* r] = addQuads(sums[4 &* r], bytes.a, load(w))
            sums[4 &* r &+ 1] = addQuads(sums[4 &* r &+ 1], bytes.b, load(w + 16))
            sums[4 &* r &+ 2] = addQuads(sums[4 &* r &+ 2], bytes.c, load(w + 32))
            sums[4 &* r &+ 3] = addQuads(sums[4 &* r &+ 3], bytes.d, load(w + 48))
          }
        }
        w += 64 &* Parts.value
      }
      return sums
    }

    /// Converts the sums of runs to bytes and writes them.
    @inline(__always)
    private func write<Outputs: Registers<Sums>>(
      _ sums: inout Outputs, _ factors: ByteFactors, _ run: Int, _ place: Int, _ width: Int
    ) {
      factors.scale(&sums, for: output)
      for i in 0..<Outputs.count / 4 {
        let bytes = packing.clamp(
          packing.pack(
            sums[4 &* i], sums[4 &* i &+ 1], sums[4 &* i &+ 2], sums[4 &* i &+ 3]))
        store(bytes, to: y + ((run &+ i) &* runs.length &+ place), width)
      }
    }

    // MARK: Runs that share columns of three taps

    private typealias Weights = ColumnWeights<Parts>

    /// Computes 16 outputs of each run, whose columns begin one after the previous run's.
    @inline(__always)
    private func computeAdjacent(_ lanes: UnsafePointer<Int32>, _ place: Int) {
      let weights = Weights(lanes)
      let factors = ByteFactors(lanes, lane: 0, stride: byteHeaderCount)
      var taps = taps
      var first = SumsOf16(lanes, stride: byteHeaderCount)
      Weights.add(column(taps, place), weights.left, to: &first)
      let next = column(taps + 4, place)
      Weights.add(next, weights.middle, to: &first)
      var second = SumsOf16(lanes, stride: byteHeaderCount)
      Weights.add(next, weights.left, to: &second)
      var run = 0
      while run &+ 2 <= runs.count {
        taps += 8
        let early = column(taps, place)
        Weights.add(early, weights.right, to: &first)
        Weights.add(early, weights.middle, to: &second)
        var third = SumsOf16(lanes, stride: byteHeaderCount)
        Weights.add(early, weights.left, to: &third)
        let late = column(taps + 4, place)
        Weights.add(late, weights.right, to: &second)
        write(first, second, factors, run, place)
        Weights.add(late, weights.middle, to: &third)
        first = third
        second = SumsOf16(lanes, stride: byteHeaderCount)
        Weights.add(late, weights.left, to: &second)
        run &+= 2
      }
      if run < runs.count {
        Weights.add(column(taps + 8, place), weights.right, to: &first)
        write(first, factors, run, place)
      }
    }

    /// Computes 16 outputs of each run, whose columns begin two after the previous run's.
    @inline(__always)
    private func computeAlternate(_ lanes: UnsafePointer<Int32>, _ place: Int) {
      let weights = Weights(lanes)
      let factors = ByteFactors(lanes, lane: 0, stride: byteHeaderCount)
      var taps = taps
      var sums = SumsOf16(lanes, stride: byteHeaderCount)
      Weights.add(column(taps, place), weights.left, to: &sums)
      for run in 0..<runs.count {
        Weights.add(column(taps + 4, place), weights.middle, to: &sums)
        taps += 8
        let last = column(taps, place)
        Weights.add(last, weights.right, to: &sums)
        write(sums, factors, run, place)
        sums = SumsOf16(lanes, stride: byteHeaderCount)
        Weights.add(last, weights.left, to: &sums)
      }
    }

    @inline(__always)
    private func write(_ sums: SumsOf16, _ factors: ByteFactors, _ run: Int, _ place: Int) {
      var outputs = Registers4<Sums>(repeating: sums.a)
      (outputs[1], outputs[2], outputs[3]) = (sums.b, sums.c, sums.d)
      write(&outputs, factors, run, place, 16)
    }

    @inline(__always)
    private func write(
      _ sums: SumsOf16, _ next: SumsOf16, _ factors: ByteFactors, _ run: Int, _ place: Int
    ) {
      var outputs = Registers8<Sums>(repeating: sums.a)
      (outputs[1], outputs[2], outputs[3]) = (sums.b, sums.c, sums.d)
      (outputs[4], outputs[5], outputs[6], outputs[7]) = (next.a, next.b, next.c, next.d)
      write(&outputs, factors, run, place, 16)
    }

    /// Loads three taps of 16 outputs, interleaved.
    @inline(__always)
    private func column(
      _ taps: UnsafePointer<UnsafePointer<UInt8>>, _ place: Int
    ) -> SumsOf16 {
      let last = Byte.signed(load(taps[2] + place, 16))
      return SumsOf16(
        Byte.signed(load(taps[0] + place, 16)), Byte.signed(load(taps[1] + place, 16)), last, last)
    }
  }

  /// The sums of 16 outputs, or the bytes of four taps of each. Not an array, because the compiler
  /// would store it in memory.
  private struct SumsOf16 {
    var a: Sums
    var b: Sums
    var c: Sums
    var d: Sums

    @inline(__always)
    init(_ start: UnsafePointer<Int32>, stride: Int) {
      a = load(start)
      b = load(start + stride)
      c = load(start + 2 &* stride)
      d = load(start + 3 &* stride)
    }

    /// Interleaves four taps.
    @inline(__always)
    init(_ first: Bytes, _ second: Bytes, _ third: Bytes, _ fourth: Bytes) {
      let low = (pairs(vzip1q_u8(first, second)), pairs(vzip1q_u8(third, fourth)))
      let high = (pairs(vzip2q_u8(first, second)), pairs(vzip2q_u8(third, fourth)))
      a = fours(vzip1q_u16(low.0, low.1))
      b = fours(vzip2q_u16(low.0, low.1))
      c = fours(vzip1q_u16(high.0, high.1))
      d = fours(vzip2q_u16(high.0, high.1))
    }

    @inline(__always)
    mutating func add(_ taps: SumsOf16, _ weights: SumsOf16) {
      a = addQuads(a, taps.a, weights.a)
      b = addQuads(b, taps.b, weights.b)
      c = addQuads(c, taps.c, weights.c)
      d = addQuads(d, taps.d, weights.d)
    }
  }

  /// The weights of three columns of taps, for 16 outputs.
  private struct ColumnWeights<Parts: Static> {
    let left: (SumsOf16, SumsOf16)
    let middle: (SumsOf16, SumsOf16)
    let right: (SumsOf16, SumsOf16)

    @inline(__always)
    init(_ lanes: UnsafePointer<Int32>) {
      let parts = Parts.value
      func weights(_ column: Int) -> (SumsOf16, SumsOf16) {
        let w = lanes + (4 &* byteHeaderCount &+ column &* parts &* 64)
        return (SumsOf16(w, stride: 16), SumsOf16(w + 64 &* (parts &- 1), stride: 16))
      }
      (left, middle, right) = (weights(0), weights(1), weights(2))
    }

    /// Adds the products of a column's taps and their weights.
    @inline(__always)
    static func add(
      _ taps: SumsOf16, _ weights: (SumsOf16, SumsOf16), to sums: inout SumsOf16
    ) {
      sums.add(taps, weights.0)
      if Parts.value == 2 { sums.add(taps, weights.1) }
    }
  }

  @inline(__always)
  private func pairs(_ bytes: Bytes) -> uint16x8_t { unsafeBitCast(bytes, to: uint16x8_t.self) }

  @inline(__always)
  private func fours(_ pairs: uint16x8_t) -> Sums { unsafeBitCast(pairs, to: Sums.self) }
#endif
