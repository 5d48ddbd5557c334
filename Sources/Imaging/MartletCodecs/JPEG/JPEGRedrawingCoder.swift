//===--- JPEGRedrawingCoder.swift - codes of a file to those of another ---===//
//
// Copies the AC codes of blocks, and writes the differences of DC coefficients anew, because the unit
// before may have been drawn on. The blocks of a unit with a drawing are kept until its last one.
//
// Contract  A block with a code that the standard's Huffman tables lack is invalid.
// Cost      For most copied coefficients, a part of a table load.
// Source    ITU-T T.81 annex F
//===----------------------------------------------------------------------===//

import MartletBase
import MartletImage

/// Writes the blocks that it reads. It is safe: pointers stay within its memory, which it owns; the
/// tables must outlive it.
@safe struct JPEGRedrawingCoder: JPEGBlockCoder {
  /// A component's tables, without reference counting.
  @safe private struct Target {
    let dc: JPEGHuffmanCodes
    let ac: JPEGHuffmanCodes
    let copies: UnsafePointer<JPEGCopyTable.Entry>
    let encoder: JPEGBlockEncoder
    /// The last DC coefficients, as read and as written.
    var read: Int32 = 0
    var written: Int32 = 0
  }

  /// The codes in memory before they are moved to the file.
  private static let bufferSize = 1 << 16

  private var targets: [Target]
  private let canvas: JPEGUnitCanvas
  /// The components of a unit's blocks.
  private let places: [Int]
  /// The patches on each unit.
  private let patches: [[JPEGUnitPatch]]
  /// The unit, and its next block.
  private var unit = 0
  private var slot = 0
  private var isDrawn = false
  /// The number of intervals that have begun.
  private var intervals = 0
  private let buffer: Arena
  private var writer: JPEGBitWriter
  private var file: [UInt8]
  private let components: [JPEGEncoderComponent]
  private let tables: [JPEGCopyTable]

  /// A coder that writes a file with these headers.
  init(
    _ frame: JPEGFrame, _ headers: JPEGEncoderHeaders, dc: [JPEGHuffmanTable],
    ac: [JPEGHuffmanTable], _ drawing: Drawing
  ) {
    components = headers.components
    let tables = zip(ac, components).map { JPEGCopyTable($0.codes, $1.ac) }
    targets = components.indices.map {
      unsafe Target(
        dc: dc[$0].codes, ac: ac[$0].codes, copies: tables[$0].start,
        encoder: headers.components[$0].encoder)
    }
    self.tables = tables
    let (horizontal, vertical) = headers.sampling
    canvas = JPEGUnitCanvas(headers)
    places = Array(repeating: 0, count: horizontal * vertical) + [1, 2]
    patches = JPEGUnitPatch.patches(
      drawing, columns: 8 * horizontal, rows: 8 * vertical, unitsPerLine: frame.unitsPerLine,
      lines: frame.unitLines)
    // A unit is written at once.
    buffer = Arena(
      byteCount: Self.bufferSize + (places.count + 1) * JPEGWaitingBits.largestBlock)
    unsafe writer = unsafe JPEGBitWriter(
      buffer.base.assumingMemoryBound(to: UInt8.self), after: JPEGWaitingBits())
    file = headers.bytes
  }

  mutating func reset() {
    for i in targets.indices { (targets[i].read, targets[i].written) = (0, 0) }
    if intervals > 0 {
      flush(isLast: true)
      file += [0xFF, 0xD0 | UInt8((intervals - 1) & 7)]
    }
    intervals += 1
  }

  mutating func decode(
    _ place: Int, _ index: Int, _ bits: inout JPEGBitReader, _ data: Span<UInt8>
  ) -> Bool {
    if slot == 0 {
      isDrawn = !patches[unit].isEmpty
      if unsafe writer.count > Self.bufferSize { flush(isLast: false) }
    }
    let isBlock = isDrawn ? keep(place, &bits, data) : copy(place, &bits, data)
    slot &+= 1
    guard slot == places.count else { return isBlock }
    if isDrawn { redraw() }
    slot = 0
    unit &+= 1
    return isBlock
  }

  /// The whole file, after all units are decoded.
  mutating func finish() -> [UInt8] {
    flush(isLast: true)
    file += [0xFF, JPEGMarker.endOfImage]
    return file
  }

  /// Moves the codes in the buffer to the file; `isLast` fills the last byte.
  private mutating func flush(isLast: Bool) {
    if isLast { unsafe writer.finish() }
    let start = unsafe buffer.base.assumingMemoryBound(to: UInt8.self)
    unsafe file += UnsafeBufferPointer(start: start, count: writer.count)
    unsafe writer = unsafe JPEGBitWriter(start, after: writer.waiting)
  }

  /// Copies a block; returns whether its bits are valid, and whether they can be copied.
  private mutating func copy(
    _ place: Int, _ bits: inout JPEGBitReader, _ data: Span<UInt8>
  ) -> Bool {
    // Local copies, which stay in registers.
    var (reader, writer) = unsafe (bits, self.writer)
    defer { unsafe (bits, self.writer) = unsafe (reader, writer) }
    var target = targets[place]
    let size = reader.symbol(target.dc, from: data)
    target.read &+= reader.value(size)
    let isMean =
      unsafe size >= 0
      && target.encoder.writeMean(target.read, &target.written, to: &writer)
    targets[place] = target
    return unsafe Self.copyAC(
      &reader, data, target.ac, target.copies, target.encoder, to: &writer) && isMean
  }

  /// Copies the AC coefficients of a block; returns whether that was possible.
  @inline(__always)
  private static func copyAC(
    _ bits: inout JPEGBitReader, _ data: Span<UInt8>, _ codes: JPEGHuffmanCodes,
    _ table: UnsafePointer<JPEGCopyTable.Entry>, _ encoder: JPEGBlockEncoder,
    to writer: inout JPEGBitWriter
  ) -> Bool {
    var next = 1
    while next < 64 {
      bits.refill(from: data)
      let entry = unsafe table[Int(bits.peek(JPEGCopyTable.lookupBits))]
      let after = next &+ Int(entry.advance & ~JPEGCopyTable.end)
      // A code of the next block may follow the last coefficient.
      if entry.skipped > 0, after <= 64 {
        unsafe writer.append(entry.bits, count: Int(entry.count))
        bits.skip(Int(entry.skipped))
        if entry.advance & JPEGCopyTable.end != 0 { return true }
        next = after
      } else {
        let symbol = bits.symbol(codes.entry(bits), codes)
        guard symbol >= 0 else { return false }
        let size = symbol & 15
        let value = size > 0 ? UInt32(bitPattern: bits.peek(size)) : 0
        bits.skip(size)
        guard unsafe encoder.copy(symbol, value, to: &writer) else { return false }
        if symbol == 0 { return true }
        next &+= symbol &>> 4 &+ 1
      }
    }
    return next == 64
  }

  /// Decodes a block to the canvas; returns whether its bits are valid.
  private mutating func keep(
    _ place: Int, _ bits: inout JPEGBitReader, _ data: Span<UInt8>
  ) -> Bool {
    var reader = bits
    defer { bits = reader }
    let size = reader.symbol(targets[place].dc, from: data)
    targets[place].read &+= reader.value(size)
    let block = canvas.blocks[slot]
    block[0] = Int16(truncatingIfNeeded: targets[place].read)
    return JPEGSequentialCoder.decodeAC(&reader, data, targets[place].ac, to: block)
      && size >= 0
  }

  /// Draws on the kept unit and writes its blocks.
  private mutating func redraw() {
    canvas.draw(patches[unit])
    for (slot, place) in places.enumerated() {
      unsafe targets[place].encoder.write(
        canvas.coefficients(slot), &targets[place].written, to: &writer)
    }
  }
}
