//===--- MadeModel.swift - model files for tests --------------------------===//
//
// Writes the file of a graph tensor by tensor. Fields have their numbers of the schema.
//===----------------------------------------------------------------------===//

import MartletModel

/// A model file under construction.
struct MadeModel {
  private var codes: [[Int: FlatField]] = []
  private var buffers: [[Int: FlatField]] = [[:]]
  private var tensors: [[Int: FlatField]] = []
  private var operators: [[Int: FlatField]] = []
  var inputs: [Int32] = []
  var outputs: [Int32] = []

  /// Adds a tensor, a constant if it has bytes, and returns its index.
  mutating func tensor(
    _ type: ElementType, _ shape: [Int32], bytes: [UInt8]? = nil, name: String = "",
    scales: [Float] = [], zeroPoint: Int64 = 0, axis: Int32 = 0, isVariable: Bool = false
  ) -> Int32 {
    var fields: [Int: FlatField] = [
      0: .int32s(shape), 1: .uint8(type.rawValue), 3: .string(name), 5: .bool(isVariable),
      8: .bool(true),
    ]
    if let bytes {
      buffers.append([0: .bytes(bytes)])
      fields[2] = .int32(Int32(buffers.count - 1))
    }
    if !scales.isEmpty {
      fields[4] = .table([
        2: .floats(scales), 3: .int64s([Int64](repeating: zeroPoint, count: scales.count)),
        6: .int32(axis),
      ])
    }
    tensors.append(fields)
    return Int32(tensors.count - 1)
  }

  /// Adds a tensor that shares the data of another one.
  mutating func tensor(like other: Int32) -> Int32 {
    tensors.append(tensors[Int(other)])
    return Int32(tensors.count - 1)
  }

  /// Adds an operator; `options` has the tag of its table in the schema and the fields.
  mutating func add(
    _ code: BuiltinOperator, version: Int32 = 1, _ inputs: [Int32], _ outputs: [Int32],
    options: (tag: UInt8, fields: [Int: FlatField])? = nil
  ) {
    codes.append([
      0: .uint8(UInt8(min(code.rawValue, 127))), 2: .int32(version),
      3: .int32(Int32(code.rawValue)),
    ])
    var fields: [Int: FlatField] = [
      0: .int32(Int32(codes.count - 1)), 1: .int32s(inputs), 2: .int32s(outputs),
    ]
    if let options {
      fields[3] = .uint8(options.tag)
      fields[4] = .table(options.fields)
    }
    operators.append(fields)
  }

  var bytes: [UInt8] {
    FlatBufferWriter(
      .table([
        0: .int32(3), 1: .tables(codes),
        2: .tables([
          [
            0: .tables(tensors), 1: .int32s(inputs), 2: .int32s(outputs), 3: .tables(operators),
          ]
        ]), 4: .tables(buffers),
      ]), identifier: "TFL3"
    ).bytes
  }

  func model() throws -> Model { try Model(bytes: bytes) }
}

extension MadeModel {
  /// A depthwise convolution of an image of unsigned bytes, with SAME.
  static func depthwise(
    side: Int32, channels: Int32, filter: Int32, dilations: (height: Int32, width: Int32)
  ) -> MadeModel {
    var model = MadeModel()
    let x = model.tensor(.uint8, [1, side, side, channels], scales: [0.5], zeroPoint: 128)
    let w = model.tensor(
      .uint8, [1, filter, filter, channels],
      bytes: [UInt8](repeating: 129, count: Int(filter * filter * channels)), scales: [0.01],
      zeroPoint: 128)
    let y = model.tensor(.uint8, [1, side, side, channels], scales: [0.5], zeroPoint: 128)
    model.add(
      .depthwiseConv2D, [x, w, -1], [y],
      options: (
        2,
        [
          1: .int32(1), 2: .int32(1), 3: .int32(1), 5: .int32(dilations.width),
          6: .int32(dilations.height),
        ]
      ))
    (model.inputs, model.outputs) = ([x], [y])
    return model
  }

  /// A convolution of floats with one tap, whose weights and bias are these tensors.
  static func pointwise(
    _ operands: (inout MadeModel) -> (weights: Int32, bias: Int32)
  ) -> MadeModel {
    var model = MadeModel()
    let x = model.tensor(.float32, [1, 2, 2, 2])
    model.inputs = [x]
    let (w, bias) = operands(&model)
    let y = model.tensor(.float32, [1, 2, 2, 1])
    model.outputs = [y]
    model.add(.conv2D, [x, w, bias], [y], options: (1, [1: .int32(1), 2: .int32(1)]))
    return model
  }

  /// Filters over features and time with a state of bytes whose zero point is 5.
  static func filters(outputScale: Float = 0.2) -> MadeModel {
    var model = MadeModel()
    let x = model.tensor(.int8, [1, 2], scales: [0.1], zeroPoint: -3)
    let features = model.tensor(.int8, [2, 2], bytes: [100, 3, 7, 90], scales: [0.1])
    let time = model.tensor(.int8, [2, 3], bytes: [40, 50, 60, 30, 20, 10], scales: [0.1])
    let state = model.tensor(.int8, [1, 6], scales: [0.5], zeroPoint: 5, isVariable: true)
    let y = model.tensor(.int8, [1, 2], scales: [outputScale], zeroPoint: -100)
    model.add(
      .svdf, version: 4, [x, features, time, -1, state], [y],
      options: (6, [0: .int32(1), 1: .uint8(1)]))
    (model.inputs, model.outputs) = ([x], [y])
    return model
  }

  /// `count` additions of floats in a row, whose results are all read again at the end, last first.
  static func longLivedSums(_ count: Int) -> MadeModel {
    var model = MadeModel()
    let x = model.tensor(.float32, [4])
    model.inputs = [x]
    var values = [x]
    for _ in 0..<count {
      let y = model.tensor(.float32, [4])
      model.add(.add, [values[values.count - 1], x], [y], options: (11, [:]))
      values.append(y)
    }
    var sum = values[values.count - 1]
    for value in values.dropLast().reversed() {
      let y = model.tensor(.float32, [4])
      model.add(.add, [sum, value], [y], options: (11, [:]))
      sum = y
    }
    model.outputs = [sum]
    return model
  }
}

extension Array where Element == Float {
  /// The bytes of the numbers, little endian.
  var littleEndianBytes: [UInt8] { flatMap { $0.bitPattern.littleEndianBytes } }
}
