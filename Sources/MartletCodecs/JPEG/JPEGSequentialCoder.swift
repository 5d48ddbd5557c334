//===--- JPEGSequentialCoder.swift - blocks of a sequential scan ----------===//
//
// ITU-T T.81, F.2.2: a DC difference, then runs of zeros and AC coefficients.
// A block goes on to the inverse transform while it is in the cache.
//
// Contract  Any bits end after at most 64 coefficients. The components and
//           tables outlive the coder.
// Cost      One table load for most coefficients; flat blocks skip the
//           transform.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// Turns the bits of a sequential scan into samples.
struct JPEGSequentialCoder: JPEGBlockCoder {
  /// What the coder needs of a component: plain memory, so that no reference is counted.
  private struct Target {
    let dc: JPEGHuffmanCodes
    let ac: JPEGHuffmanCodes
    let quantization: UnsafePointer<Int16>
    let block: UnsafeMutablePointer<Int16>
    let samples: UnsafeMutablePointer<UInt8>
    let stride: Int
    var prediction: Int32 = 0
  }

  private var targets: [Target]

  /// A coder for the components of a scan and their tables.
  init(_ components: [JPEGComponent], dc: [JPEGHuffmanTable], ac: [JPEGHuffmanTable]) {
    targets = components.indices.map { i in
      Target(
        dc: dc[i].codes, ac: ac[i].codes, quantization: components[i].quantization,
        block: components[i].block, samples: components[i].samples, stride: components[i].stride)
    }
  }

  mutating func reset() {
    for i in targets.indices { targets[i].prediction = 0 }
  }

  mutating func decode(_ place: Int, column: Int, row: Int, _ bits: inout JPEGBitReader) -> Bool {
    let target = targets[place]
    var reader = bits
    let size = reader.symbol(target.dc)
    guard size >= 0 else { return false }
    let dc = target.prediction &+ reader.value(size)
    targets[place].prediction = dc
    target.block[0] = Int16(truncatingIfNeeded: dc)
    let last = Self.decodeAC(&reader, target.ac, to: target.block)
    bits = reader
    let samples = target.samples + (8 &* row &* target.stride &+ 8 &* column)
    if last == 0 {
      JPEGInverseDCT.fill(
        target.block[0], target.quantization[0], to: samples, stride: target.stride)
    } else {
      JPEGInverseDCT.transform(
        target.block, target.quantization, to: samples, stride: target.stride)
      target.block.update(repeating: 0, count: 64)
    }
    return last >= 0
  }

  /// Takes the AC coefficients of a block; returns the last that is not zero, 0 if all are, -1 if
  /// the bits were not those of a block.
  @inline(__always)
  private static func decodeAC(
    _ bits: inout JPEGBitReader, _ codes: JPEGHuffmanCodes, to block: UnsafeMutablePointer<Int16>
  ) -> Int {
    var last = 0
    var next = 1
    while next < 64 {
      bits.refill()
      let entry = codes.entries[Int(bits.peek(JPEGHuffmanCodes.lookBits))]
      let value: Int32
      if entry & JPEGHuffmanCodes.hasValue != 0 {
        next &+= Int(entry &>> 12) & 15
        bits.skip(Int(entry & 0x7F))
        value = entry &>> 16
      } else {
        let symbol = bits.symbol(entry, codes)
        guard symbol >= 0 else { return -1 }
        if symbol & 15 == 0 {
          guard symbol == 0xF0 else { break }
          next &+= 16
          continue
        }
        next &+= symbol &>> 4
        value = bits.value(symbol & 15)
      }
      guard next < 64 else { return -1 }
      block[Int(JPEGZigzag.natural[next])] = Int16(truncatingIfNeeded: value)
      last = next
      next &+= 1
    }
    return last
  }
}
