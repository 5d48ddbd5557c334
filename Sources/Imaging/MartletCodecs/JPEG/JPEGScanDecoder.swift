//===--- JPEGScanDecoder.swift - units of a scan --------------------------===//
//
// Visits the blocks of a scan in coding order (ITU-T T.81, A.2): minimum coded units row by row if
// components are interleaved, blocks row by row if the scan has one component. Handles restart
// markers and passes each block to the scan's coder.
//
// Contract  A damaged scan is decoded as libjpeg-turbo decodes it, and the first damage is kept.
//           Decoding continues after an invalid code. If the data end, the current unit is
//           completed from zero bits, and the units up to the next restart marker are unchanged.
//           An unexpected restart marker is kept for later, skipped or accepted, by the rule of
//           `jpeg_resync_to_restart`. Work that has been stopped ends the scan.
// Cost      One call per block; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// Decodes the bits of one block to coefficients.
protocol JPEGBlockCoder {
  /// Resets the state from earlier blocks, at the start and at each restart marker.
  mutating func reset()

  /// Decodes block number `block` of the scan's component `place`.
  ///
  /// Returns false if the bits are invalid; the block may be modified even then.
  mutating func decode(
    _ place: Int, _ block: Int, _ bits: inout JPEGBitReader, _ file: Span<UInt8>
  ) -> Bool
}

/// The state of decoding one scan.
struct JPEGScanDecoder {
  /// A block within a minimum coded unit.
  private struct Slot {
    let place: Int
    let column: Int
    let row: Int
    /// The distances between units, in blocks.
    let columnStep: Int
    let rowStep: Int
    /// The index of the slot's block in the next unit.
    var block = 0
  }

  /// The work of a block without codes, and that of a restart marker.
  private static let blockSteps = 16
  private static let restartSteps = 64

  private let bytes: [UInt8]
  private let work: DecodingWork
  private let scan: Int
  private let restartInterval: Int
  private let components: [JPEGComponent]
  private var slots: [Slot]
  let unitsPerLine: Int
  private let unitCount: Int
  /// The scan's lines of units per line of the frame's units.
  private let linesPerFrameLine: Int
  private var bits: JPEGBitReader
  /// The next unit, and the one preceded by the next restart marker.
  private var unit = 0
  private var intervalEnd: Int
  /// The number, 0 to 7, of the next restart marker.
  private var restarts = 0
  /// Whether the data have ended before the next restart marker.
  private var isExhausted = false
  /// The last unit that began before its data ended.
  private var lastStartedUnit = 0
  /// The first damage.
  private(set) var damage: JPEGError?

  /// The offset in the file after the scan's data.
  var position: Int { bits.position }

  /// The frame's line of units with the last unit that began before its data ended.
  var lastStartedLine: Int { lastStartedUnit / unitsPerLine / linesPerFrameLine }

  /// A decoder of scan number `scan` with these components, whose data begin at `start`.
  init(
    _ bytes: [UInt8], start: Int, scan: Int, restartInterval: Int, frame: JPEGFrame,
    components: [JPEGComponent], work: DecodingWork
  ) {
    self.bytes = bytes
    self.work = work
    self.scan = scan
    self.restartInterval = restartInterval
    self.components = components
    bits = JPEGBitReader(start: start)
    if components.count == 1 {
      slots = [Slot(place: 0, column: 0, row: 0, columnStep: 1, rowStep: 1)]
      unitsPerLine = components[0].blocksPerLine
      unitCount = unitsPerLine * components[0].blockLines
      linesPerFrameLine = components[0].specification.vertical
    } else {
      slots = Self.slots(components)
      unitsPerLine = frame.unitsPerLine
      unitCount = unitsPerLine * frame.unitLines
      linesPerFrameLine = 1
    }
    intervalEnd = restartInterval == 0 ? unitCount : min(restartInterval, unitCount)
  }

  /// The blocks of an interleaved unit, in coding order.
  private static func slots(_ components: [JPEGComponent]) -> [Slot] {
    var slots: [Slot] = []
    for (place, component) in components.enumerated() {
      let (h, v) = (component.specification.horizontal, component.specification.vertical)
      for row in 0..<v {
        for column in 0..<h {
          slots.append(Slot(place: place, column: column, row: row, columnStep: h, rowStep: v))
        }
      }
    }
    return slots
  }

  /// Decodes the whole scan.
  mutating func decode(with coder: inout some JPEGBlockCoder) {
    coder.reset()
    decode(until: unitCount, with: &coder)
  }

  /// Continues the scan until `frameLines` lines of the frame's units are decoded. The coder must
  /// be reset before the first call.
  mutating func decode(frameLines: Int, with coder: inout some JPEGBlockCoder) {
    let limit = min(frameLines * linesPerFrameLine * unitsPerLine, unitCount)
    decode(until: limit, with: &coder)
  }

  private mutating func decode(until limit: Int, with coder: inout some JPEGBlockCoder) {
    while unit < limit {
      if unit == intervalEnd {
        guard work.charge(Self.restartSteps) else { return }
        passRestart()
        intervalEnd = min(unit + restartInterval, unitCount)
        coder.reset()
      }
      let end = min(intervalEnd, limit)
      if !isExhausted { decodeUnits(from: unit, to: end, &coder) }
      unit = end
    }
  }

  /// Decodes units until `end` or the end of the data.
  private mutating func decodeUnits(
    from start: Int, to end: Int, _ coder: inout some JPEGBlockCoder
  ) {
    let bytes = bytes
    let file = bytes.span
    var unit = start
    // The first damaged unit, and its offset in the file.
    var (damagedUnit, position) = (-1, 0)
    defer { if damagedUnit >= 0 { noteDamage(unit: damagedUnit, at: position, isCutOff: false) } }
    while unit < end {
      let (row, column) = unit.quotientAndRemainder(dividingBy: unitsPerLine)
      begin(row: row, column: column)
      let lineEnd = min(unit - column + unitsPerLine, end)
      guard work.charge(Self.blockSteps * slots.count * (lineEnd - unit)) else { return }
      while unit < lineEnd {
        for index in slots.indices {
          let isBlock = coder.decode(slots[index].place, slots[index].block, &bits, file)
          if !isBlock, damagedUnit < 0 { (damagedUnit, position) = (unit, bits.position) }
          slots[index].block &+= slots[index].columnStep
        }
        if bits.isOverrun {
          if damagedUnit < 0 {
            let next = nextMarker(from: bits.position)?.code
            noteDamage(
              unit: unit, at: bits.position, isCutOff: !JPEGMarker.isRestart(next ?? 0))
          }
          (isExhausted, lastStartedUnit) = (true, unit)
          return
        }
        unit &+= 1
      }
    }
    lastStartedUnit = end - 1
  }

  /// Sets every slot to its block of a unit.
  private mutating func begin(row: Int, column: Int) {
    for index in slots.indices {
      let slot = slots[index]
      slots[index].block =
        components[slot.place].firstBlock(row * slot.rowStep + slot.row)
        + column * slot.columnStep + slot.column
    }
  }
}

// MARK: - Damage

extension JPEGScanDecoder {
  /// Continues with the next interval: after the expected restart marker, or, if another marker is
  /// found, where `jpeg_resync_to_restart` continues.
  private mutating func passRestart() {
    let expected = restarts
    restarts = (restarts + 1) & 7
    var position = bits.position
    while let marker = nextMarker(from: position) {
      position = marker.position + 2
      let lead = (Int(marker.code) - 0xD0 - expected) & 7
      if JPEGMarker.isRestart(marker.code), lead == 0 { return resume(at: position) }
      noteDamage(unit: unit, at: bits.position, isCutOff: !JPEGMarker.isRestart(marker.code))
      if marker.code < JPEGMarker.baselineFrame { continue }
      guard JPEGMarker.isRestart(marker.code) else { return bits.restart(at: marker.position) }
      switch lead {
      case 1, 2: return bits.restart(at: marker.position)
      case 6, 7: continue
      default: return resume(at: position)
      }
    }
    noteDamage(unit: unit, at: bits.position, isCutOff: true)
    bits.restart(at: bytes.count)
  }

  /// Continues with an interval that begins at `position`.
  private mutating func resume(at position: Int) {
    bits.restart(at: position)
    isExhausted = false
  }

  /// The position and code of the first marker at or after `start`.
  private func nextMarker(from start: Int) -> (position: Int, code: UInt8)? {
    var position = start
    while position + 1 < bytes.count {
      let code = bytes[position + 1]
      if bytes[position] == 0xFF, code != 0, code != 0xFF { return (position, code) }
      position += 1
    }
    return nil
  }

  /// Records that unit `unit`, which ends near `offset`, is damaged or cut off, unless there was
  /// earlier damage.
  private mutating func noteDamage(unit: Int, at offset: Int, isCutOff: Bool) {
    guard damage == nil else { return }
    damage =
      isCutOff
      ? .truncatedScan(scan: scan, unit: unit, count: unitCount, offset: offset)
      : .corruptScan(scan: scan, unit: unit, count: unitCount, offset: offset)
  }
}
