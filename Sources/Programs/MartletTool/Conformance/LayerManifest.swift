//===--- LayerManifest.swift - expected results of each node --------------===//
//
// A file of the folder `layers`. For one case of a model it has a row for each result of each
// operator: mean, deviation and range of all elements, and samples of the elements.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine

/// The rows of one model, in execution order.
struct LayerManifest {
  /// The golden case that provides the inputs.
  let `case`: String
  let columns: [String]
  let rows: [LayerRow]

  /// The columns of a row, in this order.
  static let columns = [
    "op_index", "op", "tensor", "shape", "dtype", "mean", "std", "min", "max", "sample_stride",
    "samples",
  ]
}

/// The expected statistics of one tensor.
struct LayerRow {
  /// The index of the operator that writes the tensor, and its name.
  let node: Int
  let name: String
  let tensor: Int
  let shape: [Int]
  let statistics: LayerStatistics
}

extension LayerManifest: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    `case` = try reader.value("case")
    columns = try reader.value("columns")
    rows = try reader.value("rows")
  }
}

extension LayerRow: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    let row = try reader.elements()
    guard row.count == LayerManifest.columns.count else {
      throw reader.mismatch("row of \(LayerManifest.columns.count) columns")
    }
    node = try Int(row[0])
    name = try String(row[1])
    tensor = try Int(row[2])
    shape = try [Int](row[3])
    statistics = LayerStatistics(
      mean: try Double?(row[5]), deviation: try Double?(row[6]), least: try Double?(row[7]),
      most: try Double?(row[8]), stride: try Int(row[9]), samples: try [Double?](row[10]))
  }
}

/// Statistics and samples of a tensor; `nil` for values that are not numbers.
struct LayerStatistics: Equatable {
  let mean: Double?
  let deviation: Double?
  let least: Double?
  let most: Double?
  /// The distance between samples in the flattened tensor; the first sample is element 0.
  let stride: Int
  let samples: [Double?]
}

extension LayerStatistics {
  /// The statistics of `elements`, with every `stride`th as a sample, at most `count`.
  init(of elements: [Double], stride: Int, samples count: Int) {
    let total = Double(max(elements.count, 1))
    let mean = elements.reduce(0, +) / total
    let squares = elements.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    self.init(
      mean: mean, deviation: (squares / total).squareRoot(), least: elements.min(),
      most: elements.max(), stride: stride,
      samples: (0..<count).map {
        let (place, overflow) = $0.multipliedReportingOverflow(by: max(stride, 1))
        return !overflow && place < elements.count ? elements[place] : nil
      })
  }

  /// Returns the first number that differs from `expected` by more than `tolerance` (in the
  /// elements' unit), or than the rounding of the expected digits.
  func difference(
    from expected: LayerStatistics, tolerance: Double
  ) -> (name: String, found: Double, expected: Double)? {
    var pairs = [
      ("minimum", least, expected.least), ("maximum", most, expected.most),
      ("mean", mean, expected.mean), ("deviation", deviation, expected.deviation),
    ]
    for (index, (found, expected)) in zip(samples, expected.samples).enumerated() {
      pairs.append(("element \(index * stride)", found, expected))
    }
    for (name, found, expected) in pairs {
      guard let expected, expected.isFinite else { continue }
      let found = found ?? .nan
      if !(abs(found - expected) <= max(tolerance, abs(expected) * LayerStatistics.rounding)) {
        return (name, found, expected)
      }
    }
    return nil
  }

  /// The relative rounding of the expected numbers, which have seven digits.
  static let rounding = 1e-6
}
