//===--- PNMHeader.swift - the header of a PNM or PAM file ----------------===//
//
//   P1 P4   width height            bits, 1 is black, as text or packed
//   P2 P5   width height maximum    gray, as text or as bytes
//   P3 P6   width height maximum    RGB, as text or as bytes
//   P7      lines of a word and a value up to ENDHDR; any depth, as bytes
//
// Source    Netpbm: pbm(5), pgm(5), ppm(5), pam(5)
//===----------------------------------------------------------------------===//

/// The contents of a file's header.
struct PNMHeader {
  /// The storage of the samples.
  enum Storage {
    case textBits
    case packedBits
    case text
    case bytes
  }

  var width = 0
  var height = 0
  var channels = 0
  /// The sample value of full brightness.
  var maximum = 1
  let storage: Storage
  /// The offset of the samples.
  var dataOffset = 0

  init(_ bytes: [UInt8]) throws(PNMError) {
    guard bytes.count >= 2, bytes[0] == UInt8(ascii: "P"), (0x31...0x37).contains(bytes[1]) else {
      throw .badSignature
    }
    let kind = bytes[1] - 0x30
    storage =
      switch kind {
      case 1: .textBits
      case 4: .packedBits
      case 2, 3: .text
      default: .bytes
      }
    var scanner = PNMScanner(bytes, at: 2)
    if kind == 7 {
      try readLines(&scanner)
    } else {
      channels = kind % 3 == 0 ? 3 : 1
      (width, height) = (try scanner.number(), try scanner.number())
      if kind % 3 != 1 { maximum = try scanner.number() }
      try scanner.skipOneSpace()
    }
    dataOffset = scanner.offset
    guard Limits.allow(width: width, height: height) else {
      throw .badSize(width: width, height: height)
    }
    guard (1...65535).contains(maximum) else { throw .badMaximum(maximum) }
    guard (1...4).contains(channels) else { throw .badDepth(channels) }
  }

  /// The number of bytes per sample in the binary formats.
  var sampleBytes: Int { maximum > 255 ? 2 : 1 }

  /// Reads a PAM header. The tuple type is skipped, because the depth determines it.
  private mutating func readLines(_ scanner: inout PNMScanner) throws(PNMError) {
    while true {
      scanner.skipSpace()
      let start = scanner.offset
      let word = scanner.word()
      if word.elementsEqual("ENDHDR".utf8) {
        try scanner.skipOneSpace()
        return
      } else if word.elementsEqual("WIDTH".utf8) {
        width = try scanner.number()
      } else if word.elementsEqual("HEIGHT".utf8) {
        height = try scanner.number()
      } else if word.elementsEqual("DEPTH".utf8) {
        channels = try scanner.number()
      } else if word.elementsEqual("MAXVAL".utf8) {
        maximum = try scanner.number()
      } else if word.elementsEqual("TUPLTYPE".utf8) {
        scanner.skipLine()
      } else {
        throw .badHeaderLine(offset: start)
      }
    }
  }
}
