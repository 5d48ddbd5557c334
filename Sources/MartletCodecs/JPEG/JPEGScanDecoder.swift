//===--- JPEGScanDecoder.swift - from unit to unit through a scan ---------===//
//
// Visits the blocks of a scan in the order in which they are coded (ITU-T T.81,
// A.2): minimum coded units row by row where components are interleaved, blocks
// row by row where a scan has one component. Passes restart markers on the way
// and hands each block to the scan's coder.
//
// Contract  A scan whose data end too early, or hold a code that stands for
//           nothing, is an error that names the unit - unless restart markers
//           bound the damage: then the units up to the next one are left as
//           they are, and the first error is kept.
// Cost      One call a block; nothing is allocated on the way.
// Checked   Tests/MartletCodecsTests/JPEGDamageTests.swift
//===----------------------------------------------------------------------===//

/// What turns the bits of one block into coefficients or samples.
protocol JPEGBlockCoder {
  /// Forgets what earlier blocks have left behind, at the start and at each restart marker.
  mutating func reset()

  /// Takes block number `block` of those that the scan's component `place` keeps.
  ///
  /// Returns whether the bits were those of a block.
  mutating func decode(_ place: Int, _ block: Int, _ bits: inout JPEGBitReader) -> Bool
}

/// The way through one scan.
struct JPEGScanDecoder {
  /// A block of a minimum coded unit.
  private struct Slot {
    let place: Int
    let column: Int
    let row: Int
    /// From one unit to the next, in blocks.
    let columnStep: Int
    let rowStep: Int
    /// The slot's block of the next unit.
    var block = 0
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let scan: Int
  private let restartInterval: Int
  private let components: [JPEGComponent]
  private var slots: [Slot]
  private let unitsPerLine: Int
  private let unitCount: Int
  /// Lines of units in this scan for one line of the frame's units.
  private let linesPerFrameLine: Int
  private var bits: JPEGBitReader
  /// The next unit, and the one before which a restart marker stands.
  private var unit = 0
  private var intervalEnd: Int
  /// The number, 0 to 7, of the next restart marker.
  private var restarts = 0
  /// The first damage that restart markers bound.
  private(set) var damage: JPEGError?

  /// The place in the file after the scan's data.
  var position: Int { bits.position }

  /// Begins scan number `scan` of the components `components` at `start`.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, start: Int, scan: Int, restartInterval: Int,
    frame: JPEGFrame, components: [JPEGComponent]
  ) {
    self.bytes = bytes
    self.scan = scan
    self.restartInterval = restartInterval
    self.components = components
    bits = JPEGBitReader(bytes, start: start)
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

  /// The blocks of an interleaved unit, in order.
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

  /// Goes through the whole scan.
  mutating func decode(with coder: inout some JPEGBlockCoder) throws(JPEGError) {
    coder.reset()
    try decode(until: unitCount, with: &coder)
  }

  /// Goes on through the scan until it has left `frameLines` lines of the frame's units behind. The
  /// coder has been reset before the first call.
  mutating func decode(
    frameLines: Int, with coder: inout some JPEGBlockCoder
  ) throws(JPEGError) {
    let limit = min(frameLines * linesPerFrameLine * unitsPerLine, unitCount)
    try decode(until: limit, with: &coder)
  }

  private mutating func decode(
    until limit: Int, with coder: inout some JPEGBlockCoder
  ) throws(JPEGError) {
    while unit < limit {
      let end = min(intervalEnd, limit)
      let reached = decodeUnits(from: unit, to: end, &coder)
      unit = reached
      if reached == end, end < intervalEnd || end == unitCount { continue }
      if reached == end, isRestartNext {
        passRestart()
      } else {
        unit = try skipDamage(reached: reached)
      }
      intervalEnd = min(unit + restartInterval, unitCount)
      coder.reset()
    }
  }

  /// Takes units until `end`, and returns the first that could not be taken.
  private mutating func decodeUnits(
    from start: Int, to end: Int, _ coder: inout some JPEGBlockCoder
  ) -> Int {
    var unit = start
    while unit < end {
      let (row, column) = unit.quotientAndRemainder(dividingBy: unitsPerLine)
      begin(row: row, column: column)
      let lineEnd = min(unit - column + unitsPerLine, end)
      while unit < lineEnd {
        for index in slots.indices {
          let isBlock = coder.decode(slots[index].place, slots[index].block, &bits)
          guard isBlock else { return unit }
          slots[index].block &+= slots[index].columnStep
        }
        guard !bits.isOverrun else { return unit }
        unit &+= 1
      }
    }
    return end
  }

  /// Points every slot at its block of a unit.
  private mutating func begin(row: Int, column: Int) {
    for index in slots.indices {
      let slot = slots[index]
      slots[index].block =
        components[slot.place].firstBlock(row * slot.rowStep + slot.row)
        + column * slot.columnStep + slot.column
    }
  }
}

// MARK: - Restart markers

extension JPEGScanDecoder {
  /// How many restart markers may be missing before the damage is too great to pass.
  private static let missingRestartsMaximum = 2

  /// The first marker at or after the bits in hand: its place and code.
  private var nextMarker: (position: Int, code: UInt8)? {
    var position = bits.position
    while position + 1 < bytes.count {
      let code = bytes[position + 1]
      if bytes[position] == 0xFF, code != 0, code != 0xFF { return (position, code) }
      position += 1
    }
    return nil
  }

  /// Whether the next marker is the restart marker that belongs here.
  private var isRestartNext: Bool { nextMarker?.code == 0xD0 + UInt8(restarts) }

  private mutating func passRestart() {
    guard let marker = nextMarker else { return }
    bits.restart(at: marker.position + 2)
    restarts = (restarts + 1) & 7
  }

  /// Passes on to the next restart marker after damage, and returns the unit that follows it.
  private mutating func skipDamage(reached: Int) throws(JPEGError) -> Int {
    guard restartInterval > 0, let marker = nextMarker, JPEGMarker.isRestart(marker.code) else {
      throw failure(unit: reached)
    }
    let missing = (Int(marker.code & 7) - restarts) & 7
    let next = intervalEnd + missing * restartInterval
    guard missing <= Self.missingRestartsMaximum, next < unitCount else {
      throw failure(unit: reached)
    }
    damage = damage ?? failure(unit: reached)
    bits.restart(at: marker.position + 2)
    restarts = (restarts + missing + 1) & 7
    return next
  }

  /// What to say of data that are not those of unit `unit`.
  private func failure(unit: Int) -> JPEGError {
    bits.isEnding
      ? .truncatedScan(scan: scan, unit: unit, count: unitCount, offset: bits.position)
      : .corruptScan(scan: scan, unit: unit, count: unitCount, offset: bits.position)
  }
}
