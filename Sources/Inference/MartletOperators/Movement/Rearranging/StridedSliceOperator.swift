//===--- StridedSliceOperator.swift - STRIDED_SLICE -----------------------===//
//
// NumPy's basic indexing: x[b:e:s, ..., newaxis, i].
//
// Inputs  0 x: any type; 1 begin, 2 end, 3 strides: one int32 for each entry of the index
//         expression.
// Output  0 y: x's type.
// Options StridedSliceOptions: bits for each entry: begin or end is omitted; it is an ellipsis, a
//         new axis, or an index that removes its axis. Another option: ends are relative to begins.
// Source  LiteRT 2.3.0 `strided_slice.cc`, `strided_slice_logic.h`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let begin = 1
  static let end = 2
  static let strides = 3
}

extension Registration {
  static let stridedSlice = Registration(
    .stridedSlice, versions: 1...8, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 4...4)
    guard case .stridedSlice(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let entries = try IndexEntry.entries(p, options)
    let x = try p.inputBytes(Input.x)
    var extents: [Int] = []
    var axes: [StridedCopy.Axis] = []
    var start = 0
    var axis = 0
    for entry in entries {
      switch entry {
      case .newAxis: extents.append(1)
      case .whole(let count):
        for _ in 0..<count {
          extents.append(x.shape[axis])
          axes.append(.init(extent: x.shape[axis], source: x.strides[axis], destination: 0))
          axis += 1
        }
      case .range(let range):
        let (first, count) = try range.resolved(extent: x.shape[axis], p)
        start += first * x.strides[axis]
        if !range.removesAxis { extents.append(count) }
        axes.append(
          .init(extent: count, source: range.step &* x.strides[axis], destination: 0))
        axis += 1
      }
    }
    let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(extents))
    var stride = x.elementSize
    for index in axes.indices.reversed() {
      axes[index].destination = stride
      stride &*= axes[index].extent
    }
    let copy = StridedCopy(axes, elementSize: x.elementSize, sourceStart: start)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }
}

/// One entry of an index expression.
private enum IndexEntry {
  case newAxis
  /// An ellipsis, or axes after the end of the expression.
  case whole(axes: Int)
  case range(IndexRange)

  /// The expression in a node's inputs and options; it covers each of x's axes once.
  static func entries(
    _ p: Preparation, _ options: StridedSliceOptions
  ) throws(InferenceError) -> [IndexEntry] {
    let begins = try p.values(of: Input.begin, as: Int32.self)
    let ends = try p.values(of: Input.end, as: Int32.self)
    let steps = try p.values(of: Input.strides, as: Int32.self)
    for (index, count) in [(2, ends.count), (3, steps.count)] where count != begins.count {
      throw .elementCount(
        node: p.node, operand: .input(index), found: count, expected: begins.count)
    }
    guard begins.count <= 31 else {
      throw .elementCount(
        node: p.node, operand: .input(Input.begin), found: begins.count, expected: 31)
    }
    func bit(_ mask: Int, _ index: Int) -> Bool { mask >> index & 1 == 1 }
    let rank = try p.input(Input.x).shape.rank
    let ellipsis = (0..<begins.count).first { bit(options.ellipsisMask, $0) }
    let named = (0..<begins.count).count {
      $0 != ellipsis && !bit(options.newAxisMask, $0)
    }
    guard named <= rank else {
      throw .elementCount(node: p.node, operand: .input(Input.begin), found: named, expected: rank)
    }
    var entries: [IndexEntry] = []
    for index in begins.indices {
      if index == ellipsis {
        entries.append(.whole(axes: rank - named))
      } else if bit(options.newAxisMask, index) {
        entries.append(.newAxis)
      } else {
        entries.append(
          .range(
            IndexRange(
              begin: bit(options.beginMask, index) ? nil : Int(begins[index]),
              end: bit(options.endMask, index) ? nil : Int(ends[index]), step: Int(steps[index]),
              countsEndFromBegin: options.offset,
              removesAxis: bit(options.shrinkAxisMask, index))))
      }
    }
    if ellipsis == nil { entries.append(.whole(axes: rank - named)) }
    return entries
  }
}

/// `begin:end:step` along one axis.
private struct IndexRange {
  let begin: Int?
  let end: Int?
  let step: Int
  let countsEndFromBegin: Bool
  let removesAxis: Bool

  /// The first index and the number of indices along an axis of `extent`.
  func resolved(extent: Int, _ p: Preparation) throws(InferenceError) -> (first: Int, count: Int) {
    guard step != 0 else { throw .option(node: p.node, name: "strides", value: step) }
    let bounds = step > 0 ? 0...extent : -1...extent - 1
    func held(_ index: Int) -> Int {
      min(max(index < 0 ? index + extent : index, bounds.lowerBound), bounds.upperBound)
    }
    let first = begin.map(held) ?? (step > 0 ? 0 : extent - 1)
    if removesAxis {
      guard first >= 0, first < extent else {
        throw .indexOutOfRange(
          node: p.node, operand: .input(Input.begin), found: begin ?? first, limit: extent)
      }
      return (first, 1)
    }
    let stated = countsEndFromBegin ? end.map { $0 + first } : end
    let last = stated.map(held) ?? (step > 0 ? extent : -1)
    let span = step > 0 ? last - first : first - last
    guard span > 0 else { return (0, 0) }
    return (first, (span - 1) / step.magnitudeAsInt + 1)
  }
}

extension Int {
  /// The magnitude of a number that is in the range of int32.
  fileprivate var magnitudeAsInt: Int { self < 0 ? -self : self }
}
