//===--- GIFBlocks.swift - the blocks of a GIF file -----------------------===//
//
// signature ▶ logical screen ▶ color table ▶ blocks: extensions, images, the end
//
// Contract  Extensions other than the graphic control are skipped, and so are bytes that begin no
//           block, with a warning unless they are zero. A sub-block that is cut off is dropped.
// Source    GIF89a sections 15 to 27
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageLimits

/// Reads the frames of a GIF file from a stream.
struct GIFBlocks {
  private var source: ByteSource
  private let limits: ImageLimits
  /// The size of the logical screen.
  let width, height: Int
  /// The index of the background color; 0 without a global color table.
  let background: UInt8
  private let colors: [UInt8]?
  private var count = 0
  private var isEnded = false
  /// The disposal of the last frame that states one.
  private var disposal = 0

  /// The work of a block or a sub-block, at most 256 bytes.
  private static let blockSteps = 128

  private static let signatures = [Array("GIF87a".utf8), Array("GIF89a".utf8)]

  /// Reads the header and the global color table.
  init(_ source: ByteSource, limits: ImageLimits) throws(GIFError) {
    self.limits = limits
    self.source = source
    let header = self.source.take(13)
    guard Self.signatures.contains(Array(header.prefix(6))) else { throw .badSignature }
    guard header.count == 13 else { throw .truncated(offset: header.count, count: 13) }
    width = header.uint16(at: 6, .little) ?? 0
    height = header.uint16(at: 8, .little) ?? 0
    colors = try Self.colorTable(header[10], &self.source)
    background = colors == nil ? 0 : header[11]
  }

  /// The next frame; `nil` at the end. The canvas and the frames before take `inUse` bytes.
  mutating func next(
    _ work: DecodingWork, inUse: Int = 0, _ damage: inout Damage<GIFError>
  ) throws(GIFError) -> GIFFrame? {
    var control = GIFControl()
    while !isEnded, let introducer = source.takeByte() {
      work.allow(bytes: 1)
      try work.charge(Self.blockSteps, GIFError.stopped)
      switch introducer {
      case 0x21: try readExtension(&control, work, &damage)
      case 0x2C: return try frame(control, work, inUse: inUse, &damage)
      case 0x3B: isEnded = true
      case 0: break
      default: try damage.report(.unknownBlock(introducer, offset: source.offset - 1))
      }
    }
    return nil
  }

  private mutating func readExtension(
    _ control: inout GIFControl, _ work: DecodingWork, _ damage: inout Damage<GIFError>
  ) throws(GIFError) {
    let label = source.takeByte()
    let offset = source.offset
    guard let block = try subBlock(&damage) else { return }
    if label == 0xF9 {
      if block.count != 4 { try damage.report(.badControl(offset: offset, length: block.count)) }
      if block.count >= 4 {
        // Frames without a disposal keep that of the frame before, as in Pillow.
        if block[0] >> 2 & 7 != 0 { disposal = Int(block[0] >> 2 & 7) }
        control.transparentIndex = block[0] & 1 == 0 ? nil : block[3]
        control.delay = block.uint16(at: 1, .little) ?? 0
      }
    }
    while try subBlock(&damage) != nil {
      work.allow(bytes: 1)
      try work.charge(Self.blockSteps, GIFError.stopped)
    }
  }

  private mutating func frame(
    _ control: GIFControl, _ work: DecodingWork, inUse: Int, _ damage: inout Damage<GIFError>
  ) throws(GIFError) -> GIFFrame {
    let descriptor = source.take(9)
    guard descriptor.count == 9 else { throw .truncated(offset: source.offset, count: 9) }
    let place = (0..<4).map { descriptor.uint16(at: 2 * $0, .little) ?? 0 }
    let local = try Self.colorTable(descriptor[8], &source)
    guard let codeSize = source.takeByte() else {
      throw .truncated(offset: source.offset, count: 1)
    }
    var data: [UInt8] = []
    while let block = try subBlock(&damage) {
      data += block
      work.allow(bytes: 1)
      try work.charge(Self.blockSteps, GIFError.stopped)
      // The codes are copied when their memory grows, to twice the size.
      let needed = Int64(limits.fileByteCount) + Int64(inUse) + 3 * Int64(data.count)
      guard needed <= Int64(limits.memory) else {
        throw .memory(MemoryExcess(needed: needed, limit: Int64(limits.memory)))
      }
    }
    var control = control
    control.disposal = disposal
    count += 1
    return GIFFrame(
      number: count - 1, control: control, x: place[0], y: place[1], width: place[2],
      height: place[3], isInterlaced: descriptor[8] & 0x40 != 0, colors: local ?? colors,
      codeSize: Int(codeSize), data: data)
  }

  /// The next sub-block; `nil` after the last.
  private mutating func subBlock(
    _ damage: inout Damage<GIFError>
  ) throws(GIFError) -> [UInt8]? {
    guard let size = source.takeByte() else {
      try damage.report(.truncated(offset: source.offset, count: 1))
      return nil
    }
    guard size > 0 else { return nil }
    let offset = source.offset
    let block = source.take(Int(size))
    guard block.count == Int(size) else {
      try damage.report(.truncated(offset: offset, count: Int(size)))
      return nil
    }
    return block
  }

  /// The color table that `flags` announce; `nil` if they announce none.
  private static func colorTable(
    _ flags: UInt8, _ source: inout ByteSource
  ) throws(GIFError) -> [UInt8]? {
    guard flags & 0x80 != 0 else { return nil }
    let (offset, size) = (source.offset, 3 << (Int(flags & 7) + 1))
    let table = source.take(size)
    guard table.count == size else { throw .truncated(offset: offset, count: size) }
    return table
  }
}
