//===--- CandidateTable.swift - an output with a row for each box ---------===//

/// An output with a row, or a column, for each candidate.
struct CandidateTable: Sendable, Hashable {
  /// The index of the output.
  let output: Int
  /// The number of candidates.
  let count: Int
  /// The numbers of a candidate.
  let channels: Int
  /// Whether the shape is [1, channels, count], not [1, count, channels].
  let isTransposed: Bool
  /// The strides of the grids, whose cells follow each other row by row.
  var strides: [Int] = []

  /// The place of a candidate's number in the output.
  @inline(__always)
  func place(_ candidate: Int, _ channel: Int) -> Int {
    isTransposed ? channel * count + candidate : candidate * channels + channel
  }

  /// The largest number of these channels, not counting those that are no numbers.
  func maximum(ofChannels channels: Range<Int>, _ outputs: HeadOutputs) -> Float {
    let values = outputs[output]
    var largest = -Float.infinity
    for candidate in 0..<count {
      for channel in channels {
        let value = values[place(candidate, channel)]
        if value > largest { largest = value }
      }
    }
    return largest
  }

  /// Whether all numbers of these channels lie in `range`.
  func lies(_ channels: Range<Int>, in range: ClosedRange<Float>, _ outputs: HeadOutputs) -> Bool {
    let values = outputs[output]
    return (0..<count).allSatisfy { candidate in
      channels.allSatisfy { range.contains(values[place(candidate, $0)]) }
    }
  }

  /// The box of a candidate whose first four numbers are its center and its size in `unit`.
  func centeredBox(
    _ candidate: Int, _ outputs: HeadOutputs, _ unit: CoordinateUnit, of image: ImageLayout
  ) -> RelativeBox {
    let values = outputs[output]
    func value(_ channel: Int) -> Float { values[place(candidate, channel)] }
    let size = unit.size(of: image)
    return RelativeBox(
      centerX: value(0) / size.width, centerY: value(1) / size.height,
      width: value(2) / size.width, height: value(3) / size.height)
  }

  /// The stride, column and row of the cell of a candidate, whose grids have `layout`'s sides.
  func cell(_ candidate: Int, of layout: ImageLayout) -> (stride: Float, column: Float, row: Float)
  {
    var first = 0
    for stride in strides {
      let cells = layout.cells(stride: stride)
      if candidate < first + cells {
        let (row, column) =
          (candidate - first).quotientAndRemainder(dividingBy: layout.columns(stride: stride))
        return (Float(stride), Float(column), Float(row))
      }
      first += cells
    }
    return (1, 0, 0)
  }
}

/// The outputs of a run, as real numbers.
struct HeadOutputs {
  let reals: [ImageModel.Reals]

  @inline(__always)
  subscript(output: Int) -> ImageModel.Reals { reals[output] }
}

/// The unit of a head's coordinates.
enum CoordinateUnit: Sendable {
  case share
  case pixel

  /// Coordinates up to 2 are shares of the input's sides: centers of cells reach its last ones.
  init(largest: Float) { self = largest <= 2 ? .share : .pixel }

  /// What coordinates are divided by.
  func size(of image: ImageLayout) -> (width: Float, height: Float) {
    switch self {
    case .share: (1, 1)
    case .pixel: (Float(image.width), Float(image.height))
    }
  }
}
