//===--- MutableModel.swift - mutates the numbers of models ---------------===//
//
// Walks a model's bytes by the schema, records the offsets of its numbers, and writes other numbers
// there. The file stays well-formed, unlike after most bit flips. The reader is lenient, because
// its input is already damaged.
//===----------------------------------------------------------------------===//

/// The content of a field of the schema, as far as mutation needs it.
private indirect enum Layout {
  case number(Int)
  case float
  case numbers(Int)
  case floats
  case table([Int: Layout])
  case tables([Int: Layout])
  /// A table whose fields have unknown types.
  case open
}

private enum Schema {
  static let quantization: [Int: Layout] = [
    2: .floats, 3: .numbers(8), 4: .number(1), 5: .open, 6: .number(4),
  ]
  static let sparsity: [Int: Layout] = [
    0: .numbers(4), 1: .numbers(4),
    2: .tables([0: .number(1), 1: .number(4), 2: .number(1), 3: .open, 4: .number(1), 5: .open]),
  ]
  static let tensor: [Int: Layout] = [
    0: .numbers(4), 1: .number(1), 2: .number(4), 4: .table(quantization), 5: .number(1),
    6: .table(sparsity), 7: .numbers(4), 8: .number(1), 10: .number(4),
  ]
  static let operation: [Int: Layout] = [
    0: .number(4), 1: .numbers(4), 2: .numbers(4), 3: .number(1), 4: .open, 5: .numbers(1),
    8: .numbers(4), 9: .number(8), 10: .number(8), 11: .number(1), 12: .open,
  ]
  static let model: [Int: Layout] = [
    0: .number(4), 1: .tables([0: .number(1), 2: .number(4), 3: .number(4)]),
    2: .tables([
      0: .tables(tensor), 1: .numbers(4), 2: .numbers(4), 3: .tables(operation),
    ]),
    4: .tables([0: .numbers(1), 1: .number(8), 2: .number(8)]),
    6: .tables([1: .number(4)]),
    7: .tables([0: .tables([1: .number(4)]), 1: .tables([1: .number(4)]), 4: .number(4)]),
  ]
}

/// A model's bytes, and the offsets of its numbers.
struct MutableModel {
  struct Place {
    let offset: Int
    let width: Int
    var isFloat = false
    /// The vector of tables that this element belongs to.
    var siblings = 0..<0
  }

  var bytes: [UInt8]
  /// Places grouped by field, so that the few extents are mutated as often as the many constants.
  private var groups: [[Place]] = []
  private var groupOfPath: [Int: Int] = [:]
  private var count = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count >= 8, let root = target(of: 0) else { return }
    walk(.table(Schema.model), at: root, path: 1)
  }

  mutating func mutate(with random: inout SplitMix64) -> Bool {
    guard !groups.isEmpty else { return false }
    for _ in 0...random.next() % 4 {
      let group = groups[Int(random.next() % UInt64(groups.count))]
      let place = group[Int(random.next() % UInt64(group.count))]
      let other = group[Int(random.next() % UInt64(group.count))]
      if place.siblings.isEmpty {
        write(value(at: place, like: other, &random), at: place)
      } else if let table = target(of: other.offset), table > place.offset {
        write(UInt64(table - place.offset), at: place)
      }
    }
    return true
  }

  private func value(at place: Place, like other: Place, _ random: inout SplitMix64) -> UInt64 {
    let old = read(place.offset, place.width)
    let word = random.next()
    if place.isFloat, word & 1 == 0 {
      let floats: [Float] = [
        0, -1, 1, .nan, .infinity,
        .leastNonzeroMagnitude, 1e-38, 3e38, 0.5, 0x1p-7, 0x1p-15,
      ]
      return UInt64(floats[Int(word >> 8) % floats.count].bitPattern)
    }
    switch word >> 8 & 15 {
    case 0...3: return read(other.offset, other.width)
    case 4, 5: return old &+ 1
    case 6, 7: return old &- 1
    case 8: return 0
    case 9: return word >> 16 & 15
    case 10: return UInt64(bitPattern: -1)
    case 11: return 1 << (word >> 16 & 63)
    case 12: return (1 << (word >> 16 & 31)) - 1
    case 13: return old ^ 1 << (word >> 16 & 63)
    case 14: return 0 &- (word >> 16 & 15)
    default: return word >> 16 & 255
    }
  }

  private func read(_ offset: Int, _ width: Int) -> UInt64 {
    guard offset >= 0, offset <= bytes.count - width else { return 0 }
    return (0..<width).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  private mutating func write(_ value: UInt64, at place: Place) {
    for index in 0..<place.width where place.offset + index < bytes.count {
      bytes[place.offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  private func target(of offset: Int) -> Int? {
    let target = offset + Int(read(offset, 4))
    return target > offset && target <= bytes.count - 4 ? target : nil
  }

  private mutating func add(_ place: Place, path: Int) {
    guard count < 4000, place.offset <= bytes.count - place.width else { return }
    count += 1
    if let group = groupOfPath[path] {
      groups[group].append(place)
    } else {
      groupOfPath[path] = groups.count
      groups.append([place])
    }
  }

  /// Records the places at `offset`: a number, or the target of an offset.
  private mutating func walk(_ layout: Layout, at offset: Int, path: Int) {
    switch layout {
    case .number(let width): add(Place(offset: offset, width: width), path: path)
    case .float: add(Place(offset: offset, width: 4, isFloat: true), path: path)
    case .numbers(let width):
      // Only some elements of long vectors. Bytes are elements of any type and are taken four at a
      // time.
      let length = Int(read(offset, 4))
      let step = max(1, width == 1 ? max(4, length / 64 & ~3) : length / 16)
      for index in stride(from: 0, to: min(length, 1 << 16), by: step) {
        add(Place(offset: offset + 4 + index * width, width: max(width, 4)), path: path)
      }
      if width > 1 { add(Place(offset: offset, width: 4), path: path * 32 + 31) }
    case .floats:
      for index in 0..<min(Int(read(offset, 4)), 16) {
        add(Place(offset: offset + 4 + index * 4, width: 4, isFloat: true), path: path)
      }
      add(Place(offset: offset, width: 4), path: path * 32 + 31)
    case .table(let fields): walkTable(fields, at: offset, path: path)
    case .tables(let fields):
      let length = min(Int(read(offset, 4)), 64)
      let siblings = offset + 4..<offset + 4 + 4 * length
      for index in 0..<length {
        let element = siblings.lowerBound + 4 * index
        add(Place(offset: element, width: 4, siblings: siblings), path: path * 32 + 30)
        if let table = target(of: element) { walkTable(fields, at: table, path: path * 32) }
      }
      add(Place(offset: offset, width: 4), path: path * 32 + 31)
    case .open: walkOpenTable(at: offset, path: path)
    }
  }

  private mutating func walkTable(_ fields: [Int: Layout], at table: Int, path: Int) {
    let vtable = table - Int(Int32(truncatingIfNeeded: read(table, 4)))
    for (field, layout) in fields.sorted(by: { $0.key < $1.key })
    where 4 + 2 * field < Int(read(vtable, 2)) {
      let distance = Int(read(vtable + 4 + 2 * field, 2))
      guard distance > 0 else { continue }
      let path = path &* 32 &+ field + 1
      switch layout {
      case .number, .float: walk(layout, at: table + distance, path: path)
      default:
        if let target = target(of: table + distance) { walk(layout, at: target, path: path) }
      }
    }
  }

  private mutating func walkOpenTable(at table: Int, path: Int) {
    let vtable = table - Int(Int32(truncatingIfNeeded: read(table, 4)))
    let end = Int(read(vtable + 2, 2))
    let distances = stride(from: 4, to: Int(read(vtable, 2)), by: 2)
      .map { Int(read(vtable + $0, 2)) }
    for distance in distances where distance > 0 {
      let next = distances.filter { $0 > distance }.min() ?? end
      let width = next - distance >= 4 ? 4 : 1
      add(Place(offset: table + distance, width: width), path: path)
    }
  }
}
