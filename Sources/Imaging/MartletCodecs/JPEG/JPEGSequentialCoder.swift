//===--- JPEGSequentialCoder.swift - sequential scans ---------------------===//
//
// ITU-T T.81, F.2.2: a DC difference, then runs of zeros and AC coefficients.
//
// Contract  Decoding a block ends after at most 64 coefficients, for any bits. The components and
//           tables must outlive the coder. Damaged bits give the coefficients of libjpeg-turbo: an
//           invalid code ends its block, and a coefficient after the last one replaces it.
// Cost      One table load per coefficient in most cases.
//===----------------------------------------------------------------------===//

/// Decodes the bits of a sequential scan to coefficients.
struct JPEGSequentialCoder: JPEGBlockCoder {
  /// A component's memory, without reference counting.
  private struct Target {
    let dc: JPEGHuffmanCodes
    let ac: JPEGHuffmanCodes
    let blocks: JPEGBlocks
    var prediction: Int32 = 0
  }

  private var targets: [Target]

  /// A coder for the components of a scan and their tables.
  init(_ components: [JPEGComponent], dc: [JPEGHuffmanTable], ac: [JPEGHuffmanTable]) {
    targets = components.indices.map { i in
      Target(dc: dc[i].codes, ac: ac[i].codes, blocks: components[i].blocks)
    }
  }

  mutating func reset() {
    for i in targets.indices { targets[i].prediction = 0 }
  }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool {
    let target = targets[place]
    var reader = bits
    let size = reader.symbol(target.dc, from: file)
    let dc = target.prediction &+ reader.value(size)
    targets[place].prediction = dc
    let block = target.blocks[index]
    block[0] = Int16(truncatingIfNeeded: dc)
    let isBlock = Self.decodeAC(&reader, file, target.ac, to: block)
    bits = reader
    return isBlock && size >= 0
  }

  /// Decodes the AC coefficients of a block; returns whether the bits were valid.
  @inline(__always)
  static func decodeAC(
    _ bits: inout JPEGBitReader, _ file: Span<UInt8>, _ codes: JPEGHuffmanCodes,
    to block: JPEGBlock
  ) -> Bool {
    var mask: UInt64 = 0
    var next = 1
    // If an earlier scan has coded the block, its other coefficients stay unchanged.
    defer { block.occupied |= mask }
    while next < 64 {
      bits.refill(from: file)
      let entry = codes.entry(bits)
      let value: Int32
      if entry & JPEGHuffmanCodes.hasValue != 0 {
        next &+= Int(entry &>> 12) & 15
        bits.skip(Int(entry & 0x7F))
        value = entry &>> 16
      } else {
        let symbol = bits.symbol(entry, codes)
        guard symbol >= 0 else { return false }
        if symbol & 15 == 0 {
          guard symbol == 0xF0 else { break }
          next &+= 16
          continue
        }
        next &+= symbol &>> 4
        value = bits.value(symbol & 15)
      }
      guard next < 64 else {
        block[63] = Int16(truncatingIfNeeded: value)
        mask |= 1 &<< 63
        return false
      }
      block[next] = Int16(truncatingIfNeeded: value)
      mask |= 1 &<< UInt64(truncatingIfNeeded: next)
      next &+= 1
    }
    return true
  }
}
