//===--- GraphWriter.swift - graphs from a list of decisions --------------===//
//
// Writes models of a few operators whose tensors mostly fit each other, with occasional numbers
// that no converter writes. Every list of decisions describes a model, so the fuzzer may mutate
// lists freely.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// A list of decisions. After its end every decision is 0.
struct Recipe {
  static let mark: UInt8 = 0x52

  private var rest: ArraySlice<UInt8>

  /// The recipe in `bytes`, or `nil` if they are a model. No model begins with the mark, because
  /// the offset of its root is a multiple of four.
  init?(_ bytes: [UInt8]) {
    guard bytes.first == Recipe.mark else { return nil }
    rest = bytes.dropFirst()
  }

  mutating func below(_ count: Int) -> Int { Int(rest.popFirst() ?? 0) % count }
  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
  mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken + [UInt8](repeating: UInt8(count & 7), count: count - taken.count)
  }
}

/// An operator template: `code:options tag:fields:inputs:outputs`. Tags from 200 on are those of the
/// schema's second union, plus 200.
///
/// Fields, in the schema's order: p padding, a activation, e other choice, b Boolean, t type, s small
/// count, n small index, m mask, v vector, f float, g subgraph, r subgraph of two scalars, - none. Of
/// 64 bits: N small index, L count for each axis, E number for each axis, D two numbers for each axis, X
/// some axes.
/// Inputs: U 64-bit count for each axis, x tensor, y one to be broadcast, 0 scalar, c condition, w d m filters (convolution,
/// depthwise, matrix), B bias, I indices, A axis, V vector with an element for each axis, P
/// permutation, S shape, G paddings, H size, K blocks, k crops.
/// Outputs: x of the main type, b bool, i int32, l int64, f float32, q any.
private struct Template {
  let code: Int
  let tag: Int
  let fields: [Character]
  let inputs: [Character]
  let outputs: [Character]

  static let all: [Template] = """
    0:11:ab:xy:x 1:5:pssssa:x:x 2:10:na:xxx:x 3:1:pssass:xwB:x 4:2:psssass:xdB:x 5:94:s:x:x
    6:0::x:f 7:0::Ix:x 8:0::x:x 9:8:aebb:xmB:x 11:12:a:x:x 12:5:pssssa:x:x 13:13:sfff:x:x
    14:0::x:x 17:5:pssssa:x:x 18:21:a:xy:x 19:0::x:x 20:0::x:x 21:0::x:x 22:17:v:xS:x
    23:15:--bb:xH:x 25:9:f:x:x 26:19:s:x:x 28:0::x:x 34:0::xG:x 36:23:nn:xI:x 37:0::xKk:x
    38:0::xKk:x 39:0::xP:x 40:27:b:xV:x 41:28:ab:xy:x 42:29:a:xy:x 43:30:v:x:x
    45:32:mmmmmb:xVVV:x 47:0::x:x 48:0::xA:xi 49:35:s:Ax:xx 50:0::x:x 53:37:tt:x:q 54:0::xy:x
    55:0::xy:x 56:40:t:xA:i 57:0::xy:x 58:0::xy:b 59:0::x:x 60:0::xG0:x 61:0::xy:b 62:0::xy:b
    63:0::xy:b 64:0::cxx:x 65:0::xVV:x 66:0::x:x 67:49:pssa:Swx:x 68:50:b:ISx0:x 69:0::xV:x
    70:0::xA:x 71:0::xy:b 72:0::xy:b 73:0::x:x 74:27:b:xV:x 75:0::x:x 76:0::x:x 77:55:t:x:i
    78:0::xy:x 79:57:t:xA:i 80:58:ffsb:x:x 81:27:b:xV:x 82:27:b:xV:x 83:59:sn:xx:x 84:0::cc:b
    85:61:n:IA00:x 86:0::cc:b 87:0::c:b 88:64:sn:x:xx 89:27:b:xV:x 90:0::xy:x 91:27:b:cV:b
    92:0::x:x 93:0::x:x 94:0::S0:x 95:0::xy:x 96:0::000:x 97:74:bb:xH:x 98:75:f:x:x 99:0::xy:x
    100:77:e:xG:x 101:0::x:x 102:79:s:xVA:xx 103:80:t:x:xi 104:0::x:x 105:0::xV:x 106:0::xxx:x
    107:0::xI:x 108:0::x:x 109:0::c:l 110:0::x:i 111:0::x:x 112:87:nn:xI:x 113:0::x:x 114:0::x:q
    115:0::xx:x 116:0::x:x 117:0::x:x 118:92:gg:cx:x 119:93:gg:xx:xx 120:0::xxA00:ii
    122:0::IxS:x 123:0::cxy:x 125:0::xI:x 126:101:bbb:xx:x 128:102:bb:xA:x 129:103:g::
    130:0::xS:x 132:106:pssssasss:xwB:x 140:27:b:cV:b 145:0::SS:i 150:116:b:x:x 151:0::xxV:x
    152:0::x:x 156:0::xy:x 158:0::x:x 159:0::x:q 160:0::xy:x 161:0::xy:x 163:0::xx:x 166:0::xx:x
    190:207:bXXXNbr:xIx:x 190:207:bXXXNbr:xIx:x 195:210:EEL:x0:x 198:213:LLLLDr:x0:x
    198:213:LLLLDr:x0:x 201:216:XXXNLb:xI:x 203:0::xV0:x 205:220:n:x0UUU:x
    """.split { $0 == " " || $0 == "\n" }.map { text in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Array($0) }
      return Template(
        code: Int(String(parts[0])) ?? 0, tag: Int(String(parts[1])) ?? 0, fields: parts[2],
        inputs: parts[3], outputs: parts[4])
    }
}

/// Writes the model that a recipe describes.
struct GraphWriter {
  private var recipe: Recipe
  private var codes: [[Int: FlatField]] = []
  private var buffers: [[Int: FlatField]] = [[:]]
  private var tensors: [[Int: FlatField]] = []
  private var operators: [[Int: FlatField]] = []
  private var inputs: [Int32] = []
  /// The type and shape of each tensor, by index.
  private var types: [ElementType] = []
  private var shapes: [[Int32]] = []
  /// Tensors of the main type and conditions, newest last.
  private var values: [Int] = []
  private var conditions: [Int] = []
  /// The index of the first subgraph of two scalars, and whether an operator names one.
  private var firstBody = 0
  private var usesBodies = false
  private let templates: [Template]
  private let main: ElementType
  private let extents: [Int32]

  /// The model of a recipe; all operators have these codes if there are some.
  static func model(_ recipe: Recipe, of codes: Set<Int>? = nil) -> [UInt8] {
    var writer = GraphWriter(
      recipe, codes.map { codes in Template.all.filter { codes.contains($0.code) } } ?? Template.all
    )
    return writer.model()
  }

  private init(_ recipe: Recipe, _ templates: [Template]) {
    self.templates = templates
    var recipe = recipe
    main = recipe.pick([.float32, .int8, .uint8, .int16, .int32, .int64, .float32, .int8])
    let channels: [Int32] = [4, 1, 2, 3, 8, 16, 17, 33]
    let rank = recipe.pick([4, 4, 4, 3, 2, 1, 5, 0])
    let sides = (0..<4).map { _ in Int32(recipe.below(7) + 1) }
    let full = [1, sides[0], sides[1], recipe.pick(channels)]
    extents = rank == 5 ? [sides[2]] + full : Array(full.suffix(rank))
    self.recipe = recipe
  }

  private mutating func model() -> [UInt8] {
    firstBody = [1, 1, 1, 3][recipe.below(4)]
    var subgraphs = (0..<firstBody).map { _ in subgraph() }
    if usesBodies { subgraphs += [nil, 0, 55, 165, 84].map { body($0) } }
    var root: [Int: FlatField] = [
      0: .int32(3), 1: .tables(codes), 2: .tables(subgraphs), 4: .tables(buffers),
    ]
    if recipe.below(16) == 15 {
      buffers.append([0: .bytes(metadata())])
      root[4] = .tables(buffers)
      root[6] = .tables([[0: .string("TFLITE_METADATA"), 1: .int32(Int32(buffers.count - 1))]])
    }
    let bytes = FlatBufferWriter(.table(root), identifier: "TFL3").bytes
    return root[6] == nil ? bytes : bytes + archive(at: bytes.count)
  }

  private mutating func subgraph() -> [Int: FlatField] {
    (tensors, operators, inputs, types, shapes) = ([], [], [], [], [])
    (values, conditions) = ([], [])
    for _ in 0...recipe.below(6) { add(templates[recipe.below(256) % templates.count]) }
    let outputs = (values.suffix(2) + conditions.suffix(1)).map { Int32($0) }
    return [
      0: .tables(tensors), 1: .int32s(inputs), 2: .int32s(outputs), 3: .tables(operators),
    ]
  }

  /// A subgraph of an operator on two scalars, or one that passes on the second.
  private mutating func body(_ code: Int?) -> [Int: FlatField] {
    (tensors, types, shapes) = ([], [], [])
    for _ in 0..<3 { _ = tensor(main, []) }
    guard let code else {
      return [0: .tables(tensors), 1: .int32s([0, 1]), 2: .int32s([1])]
    }
    codes.append([0: .uint8(UInt8(min(code, 127))), 3: .int32(Int32(code)), 2: .int32(1)])
    let operation: [Int: FlatField] = [
      0: .int32(Int32(codes.count - 1)), 1: .int32s([0, 1]), 2: .int32s([2]),
    ]
    return [
      0: .tables(tensors), 1: .int32s([0, 1]), 2: .int32s([2]), 3: .tables([operation]),
    ]
  }

  // MARK: Operators

  private mutating func add(_ template: Template) {
    let inputs = template.inputs.map { Int32(input($0)) }
    let outputs = template.outputs.map { Int32(output($0)) }
    codes.append([
      0: .uint8(UInt8(min(template.code, 127))), 3: .int32(Int32(template.code)),
      2: .int32(Int32([1, 2, 3, 1][recipe.below(4)])),
    ])
    var operation: [Int: FlatField] = [
      0: .int32(Int32(codes.count - 1)), 1: .int32s(inputs), 2: .int32s(outputs),
    ]
    if template.tag > 0 {
      let union = template.tag < 200 ? (3, 4) : (11, 12)
      operation[union.0] = .uint8(UInt8(template.tag % 200))
      var fields: [Int: FlatField] = [:]
      for (index, kind) in template.fields.enumerated() { fields[index] = field(kind) }
      operation[union.1] = .table(fields)
    }
    operators.append(operation)
  }

  private mutating func field(_ kind: Character) -> FlatField? {
    switch kind {
    case "p", "b", "e": .uint8(UInt8(recipe.below(2)))
    case "a": .uint8(UInt8([0, 0, 0, 1, 2, 3, 4, 5][recipe.below(8)]))
    case "t": .uint8(UInt8([2, 4, 0, 9][recipe.below(4)]))
    case "s": .int32(hostile([1, 2, 3, 4]))
    case "n": .int32(hostile([0, 1, 2, 3, -1, -2]))
    case "m": .int32(hostile([0, 0, 1, 2, 4, 8, 3, 5]))
    case "g": .int32(Int32(recipe.below(3)))
    case "v": .int32s((0..<recipe.below(4)).map { _ in hostile([1, 2, 4, 0, -1]) })
    case "f": .float(float([1, 0.1, 2, -1, 0]))
    case "r": bodyIndex()
    case "N": .int64(wide([0, 1, 1, 2]))
    case "L": .int64s(extents.map { _ in wide([1, 2, 1, 3]) })
    case "E": .int64s(extents.map { _ in wide([0, 1, -1, 2]) })
    case "D": .int64s((extents + extents).map { _ in wide([0, 1, -1, 2]) })
    case "X": .int64s(axes())
    default: nil
    }
  }

  /// One of the choices or, occasionally, a number that no converter writes.
  private mutating func hostile(_ choices: [Int32]) -> Int32 {
    guard recipe.below(24) == 23 else { return recipe.pick(choices) }
    return recipe.pick([0, -1, 1 << 10, 1 << 16, 1 << 20, .max, .min, 7, 64, -7])
  }

  private mutating func wide(_ choices: [Int32]) -> Int64 {
    guard recipe.below(24) == 23 else { return Int64(recipe.pick(choices)) }
    return recipe.pick([0, -1, 1 << 31, .max, .min, 1 << 62, -(1 << 31), 1 << 16])
  }

  /// Ascending axes, mostly.
  private mutating func axes() -> [Int64] {
    let mask = recipe.below(64)
    guard mask < 48 else { return (0..<mask % 4).map { _ in wide([0, 1, 2, 3]) } }
    return (0..<Int64(extents.count)).filter { mask >> $0 & 1 != 0 }
  }

  private mutating func bodyIndex() -> FlatField {
    usesBodies = true
    return .int32(Int32(firstBody) + hostile([0, 1, 2, 3, 4]) % 1024)
  }

  private mutating func float(_ choices: [Float]) -> Float {
    guard recipe.below(24) == 23 else { return recipe.pick(choices) }
    return recipe.pick([
      0, -1, .nan, .infinity,
      .leastNonzeroMagnitude, 1e-38, 3e38, 1e10,
    ])
  }

  // MARK: Tensors

  private mutating func tensor(
    _ type: ElementType, _ shape: [Int32], data: [UInt8]? = nil, scaleCount: Int = 1
  ) -> Int {
    var fields: [Int: FlatField] = [0: .int32s(shape), 1: .uint8(type.rawValue), 8: .bool(true)]
    if let data {
      buffers.append([0: .bytes(data)])
      fields[2] = .int32(Int32(buffers.count - 1))
    }
    if let zeroPoints = GraphWriter.zeroPoints[type] {
      let scales = (0..<scaleCount).map { _ in
        float([0.5, 0x1p-8, 0x1p-7, 1e-3, 0x1p-15, 1, 0.0235, 0x1p-8])
      }
      let zeroPoint = scaleCount > 1 ? 0 : Int64(hostile(zeroPoints))
      fields[4] = .table([
        2: .floats(scales), 3: .int64s([Int64](repeating: zeroPoint, count: scaleCount)),
        6: .int32(scaleCount > 1 ? Int32(recipe.pick([0, 0, 3])) : 0),
      ])
    }
    if recipe.below(64) == 63 { fields[5] = .bool(true) }
    tensors.append(fields)
    types.append(type)
    shapes.append(shape)
    return tensors.count - 1
  }

  private static let zeroPoints: [ElementType: [Int32]] = [
    .int8: [0, -128, 5, 0], .uint8: [0, 128, 3], .int16: [0],
  ]

  private mutating func graphInput(_ type: ElementType) -> Int {
    var shape = extents
    if !shape.isEmpty, recipe.below(8) == 7 {
      shape[recipe.below(shape.count)] = hostile([1, 2, 0])
    }
    let index = tensor(type, shape)
    inputs.append(Int32(index))
    return index
  }

  private mutating func value() -> Int {
    if let last = values.last, recipe.below(4) > 0 { return last }
    if !values.isEmpty, recipe.below(2) > 0 { return recipe.pick(values) }
    values.append(graphInput(main))
    return values.last ?? 0
  }

  private mutating func output(_ kind: Character) -> Int {
    switch kind {
    case "b":
      conditions.append(tensor(.bool, extents))
      return conditions.last ?? 0
    case "i": return tensor(.int32, extents)
    case "l": return tensor(.int64, extents)
    case "f": return tensor(.float32, extents)
    case "q": return tensor(recipe.pick([.int8, .uint8, .int16, .float32, .int32, .bool]), extents)
    default:
      values.append(tensor(main, extents))
      return values.last ?? 0
    }
  }

  private mutating func input(_ kind: Character) -> Int {
    let rank = extents.count
    let depth = extents.last ?? 1
    switch kind {
    case "x": return value()
    case "y":
      guard recipe.below(3) > 0 else { return value() }
      return constant(main, recipe.pick([[], [1], [depth], [1, 1, 1, depth], extents]))
    case "0": return constant(main, [])
    case "c":
      if let last = conditions.last, recipe.below(3) > 0 { return last }
      conditions.append(graphInput(.bool))
      return conditions.last ?? 0
    case "w":
      let units = hostile([depth, depth, 1, 5])
      return filter([units, hostile([1, 3, 2]), hostile([1, 3, 2]), depth], channelAxis: 0)
    case "d":
      return filter(
        [1, hostile([1, 3, 2]), hostile([3, 1, 2]), depth * Int32([1, 1, 2][recipe.below(3)])],
        channelAxis: 3)
    case "m": return filter([hostile([depth, 1, 7]), depth], channelAxis: 0)
    case "B":
      guard recipe.below(4) > 0, let weights = shapes.last else { return -1 }
      let bias: ElementType = main == .float32 ? .float32 : main == .int16 ? .int64 : .int32
      return constant(bias, [(weights.first == 1 ? weights.last : weights.first) ?? 1])
    case "I":
      guard recipe.below(3) == 0 else { return integers([0, 1, 2, 0], [2], count: 2) }
      let index = tensor(.int32, [hostile([1, 2, 3])])
      inputs.append(Int32(index))
      return index
    case "A": return integers([0, 1, 2, 3, -1], [], count: 1)
    case "V": return integers([0, 1, 2, 1, -1], [Int32(rank)], count: rank)
    case "S": return integers([1, 2, depth, 4, -1], [Int32(rank)], count: rank)
    case "P": return permutation(rank)
    case "U":
      let counts = (0..<rank).map { _ in wide([1, 2, 1, 3]) }
      return tensor(.int64, [Int32(rank)], data: counts.flatMap { $0.littleEndianBytes })
    case "G": return integers([0, 1, 2, 0], [Int32(rank), 2], count: 2 * rank)
    case "H": return integers([1, 2, 3, 5, 8], [2], count: 2)
    case "K": return integers([1, 2, 3], [2], count: 2)
    case "k": return integers([0, 1, 0], [2, 2], count: 4)
    default: return -1
    }
  }

  private mutating func constant(_ type: ElementType, _ shape: [Int32]) -> Int {
    let bytes = dataCount(shape) * max(type.bitWidth / 8, 1)
    return tensor(type, shape, data: recipe.bytes(min(bytes, 64)).repeated(to: bytes))
  }

  /// The elements of a constant of this shape, at most as many as a small file should hold.
  private func dataCount(_ shape: [Int32]) -> Int {
    shape.reduce(1) { min($0 * min(max(Int($1), 0), 4096), 4096) }
  }

  private mutating func filter(_ shape: [Int32], channelAxis: Int) -> Int {
    let type: ElementType =
      main == .int16 || main == .float32 && recipe.below(6) == 5 ? .int8 : main
    let count = dataCount(shape)
    let channels = Int(shape[channelAxis])
    let isPerChannel = type == .int8 && (1...64).contains(channels) && recipe.below(2) > 0
    let data = recipe.bytes(min(count, 32)).repeated(to: count * (type.bitWidth / 8))
    // Occasionally weights are graph inputs instead of constants.
    let index = tensor(
      type, shape, data: recipe.below(8) == 7 ? nil : data,
      scaleCount: isPerChannel ? channels : 1)
    if tensors[index][2] == nil { inputs.append(Int32(index)) }
    return index
  }

  private mutating func integers(_ choices: [Int32], _ shape: [Int32], count: Int) -> Int {
    let elements = (0..<count).map { _ in hostile(choices) }
    if recipe.below(10) == 9 {
      let index = tensor(.int32, shape)
      inputs.append(Int32(index))
      return index
    }
    return tensor(.int32, shape, data: elements.flatMap { $0.littleEndianBytes })
  }

  private mutating func permutation(_ rank: Int) -> Int {
    var axes = Array(0..<Int32(rank))
    for axis in axes.indices.dropFirst() { axes.swapAt(axis, recipe.below(axis + 1)) }
    return tensor(.int32, [Int32(rank)], data: axes.flatMap { $0.littleEndianBytes })
  }

  // MARK: Metadata

  private mutating func metadata() -> [UInt8] {
    let unit: [Int: FlatField] = [
      0: .uint8(1), 1: .table([0: .floats([float([127.5])]), 1: .floats([float([127.5])])]),
    ]
    let file: [Int: FlatField] = [0: .string("l"), 2: .uint8(UInt8(2 + recipe.below(3)))]
    let calibration: [Int: FlatField] = [
      0: .uint8(2), 1: .table([0: .uint8(UInt8(recipe.below(3))), 1: .float(float([0.5]))]),
    ]
    let subgraph: [Int: FlatField] = [
      2: .tables([[4: .tables([unit]), 3: .table([0: .uint8(2), 1: .table([0: .uint8(1)])])]]),
      3: .tables([
        [4: .tables([calibration]), 6: .tables([file, [0: .string("c"), 2: .uint8(4)]])]
      ]),
    ]
    let root: [Int: FlatField] = [0: .string("m"), 3: .tables([subgraph]), 6: .tables([file])]
    return FlatBufferWriter(.table(root), identifier: "M001").bytes
  }

  /// Two stored files, labels and calibrations, appended to a model of `start` bytes.
  private mutating func archive(at start: Int) -> [UInt8] {
    func record(_ numbers: [(UInt32, Int)]) -> [UInt8] {
      numbers.flatMap { $0.littleEndianBytes.prefix($1) }
    }
    var contents: [UInt8] = []
    var directory: [UInt8] = []
    for (name, text) in [("l", Array("a\nb\n".utf8)), ("c", Array("1,2,3\n\n1,2,3,0.5\n".utf8))] {
      let offset = UInt32(start + contents.count)
      let size = UInt32(text.count)
      let crc = checksum(text)
      contents += record([
        (0x0403_4B50, 4), (20, 2), (0, 2), (0, 2), (0, 4), (crc, 4), (size, 4), (size, 4), (1, 2),
        (0, 2),
      ])
      contents += Array(name.utf8) + text
      directory += record([
        (0x0201_4B50, 4), (20, 4), (0, 4), (0, 4), (crc, 4), (size, 4), (size, 4), (1, 2), (0, 2),
        (0, 2), (0, 4), (0, 4), (offset, 4),
      ])
      directory += Array(name.utf8)
    }
    return contents + directory
      + record([
        (0x0605_4B50, 4), (0, 4), (2, 2), (2, 2), (UInt32(directory.count), 4),
        (UInt32(start + contents.count), 4), (0, 2),
      ])
  }

  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320)
      }
    }
  }
}

extension [UInt8] {
  /// Repeats these bytes until there are `count`.
  fileprivate func repeated(to count: Int) -> [UInt8] {
    isEmpty ? [UInt8](repeating: 0, count: count) : (0..<count).map { self[$0 % self.count] }
  }
}
