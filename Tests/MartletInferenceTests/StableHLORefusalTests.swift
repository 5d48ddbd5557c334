import MartletTestSupport
import Testing

@testable import MartletBase
@testable import MartletInference
@testable import MartletModel
@testable import MartletOperators

/// Invalid nodes that the operators from StableHLO must refuse.
@Suite struct StableHLORefusalTests {
  private static let add = ComputationTests.body(.add).model.subgraphs
  private static let update = ComputationTests.body(nil).model.subgraphs
  private static let big = Int(Int32.max)

  private func refused(_ name: String, _ value: Int) -> InferenceError {
    .option(node: 0, name: name, value: value)
  }

  /// The error of a result with an impossible extent.
  private func extent(_ axis: Int, _ found: Int) -> InferenceError {
    .extent(
      node: 0, operand: .output(0), axis: axis, found: found,
      expected: found < 0 ? 0 : StableHLORefusalTests.big)
  }

  // MARK: Windows

  private func window(
    _ options: StableHLOReduceWindowOptions, _ x: Given = Given(shape: [4, 5]),
    initial: Given = Given(), output: ElementType = .float32
  ) -> InferenceError? {
    refusal(
      .stableHLOReduceWindow, [x, initial], outputs: [Given(type: output)],
      options: .stableHLOReduceWindow(options), subgraphs: StableHLORefusalTests.add)
  }

  @Test func refusesInvalidWindows() {
    let big = StableHLORefusalTests.big
    #expect(window(.init(extents: [2, 2])) == nil)
    #expect(window(.init()) == refused("number of window_dimensions", 0))
    #expect(window(.init(extents: [2])) == refused("number of window_dimensions", 1))
    #expect(
      window(.init(extents: [2, 2], strides: [1])) == refused("number of window_strides", 1))
    #expect(
      window(.init(extents: [2, 2], padding: [0, 0])) == refused("number of paddings", 2))
    for value in [0, -1, Int.min, big + 1, Int.max] {
      #expect(window(.init(extents: [2, value])) == refused("window_dimensions", value))
      #expect(
        window(.init(extents: [2, 2], strides: [value, 1])) == refused("window_strides", value))
      #expect(
        window(.init(extents: [2, 2], baseDilations: [1, value]))
          == refused("base_dilations", value))
      #expect(
        window(.init(extents: [2, 2], windowDilations: [value, 1]))
          == refused("window_dilations", value))
    }
  }

  @Test func refusesInvalidPaddings() {
    let big = StableHLORefusalTests.big
    #expect(window(.init(extents: [1, 1], padding: [-2, -2, 0, 0])) == nil)
    #expect(window(.init(extents: [1, 1], padding: [-3, -2, 0, 0])) == extent(0, -1))
    #expect(
      window(.init(extents: [1, 1], padding: [0, Int.max, 0, 0])) == refused("padding", .max))
    #expect(
      window(.init(extents: [1, 1], padding: [Int.min, 0, 0, 0])) == refused("padding", .min))
    #expect(
      window(.init(extents: [1, 1], padding: [big, big, 0, 0])) == extent(0, 4 + 2 * big))
    #expect(
      window(.init(extents: [1, 1], baseDilations: [1, big])) == extent(1, 4 * big + 1))
  }

  /// The result is empty if no window lies in the tensor, as in LiteRT.
  @Test func hugeWindowsHaveNoResult() {
    let big = StableHLORefusalTests.big
    #expect(window(.init(extents: [big, big], windowDilations: [big, big])) == nil)
  }

  @Test func refusesOtherOperandsOfWindows() {
    let options = StableHLOReduceWindowOptions(extents: [2, 2])
    #expect(
      window(options, Given()) == .rank(node: 0, operand: .input(0), found: 0, expected: 1...8))
    #expect(
      window(options, initial: Given(shape: [2]))
        == .elementCount(node: 0, operand: .input(1), found: 2, expected: 1))
    #expect(
      window(options, initial: Given(type: .int32))
        == .type(node: 0, operand: .input(1), found: .int32, expected: .float32))
    #expect(
      window(options, output: .float64)
        == .type(node: 0, operand: .output(0), found: .float64, expected: .float32))
    #expect(
      window(options, Given(type: .complex64, shape: [4, 5]), initial: Given(type: .complex64))
        == .unsupportedType(node: 0, operand: .input(0), found: .complex64))
    #expect(
      refusal(.stableHLOReduceWindow, [Given(shape: [4]), Given()]) == .options(node: 0))
    #expect(
      refusal(
        .stableHLOReduceWindow, [Given(shape: [4]), Given()],
        options: .stableHLOReduceWindow(.init(extents: [2], bodySubgraph: 7)),
        subgraphs: StableHLORefusalTests.add) == .noSuchSubgraph(index: 7, count: 1))
  }

  @Test func refusesOldWindowsWithoutFunction() {
    let inputs = [Given(shape: [4]), Given(), integers(2), integers(1), integers(1)]
    func old(_ function: ReduceWindowFunction, _ inputs: [Given]) -> InferenceError? {
      refusal(
        .reduceWindow, inputs, options: .reduceWindow(ReduceWindowOptions(function: function)))
    }
    #expect(old(.add, inputs) == nil)
    #expect(old(.unsupported, inputs) == refused("reduce_function", 0))
    #expect(
      old(.add, Array(inputs[..<3]) + [integers(0), integers(1)]) == refused("window_strides", 0))
  }

  @Test func countsTapsAsWork() throws {
    var main = TestModel()
    let x = main.tensor(.float32, [100, 100])
    let y = main.tensor(.float32, [100, 100])
    (main.inputs, main.outputs) = ([x], [y])
    main.add(
      .stablehloReduceWindow, [x, main.constant([Float(0)], [])], [y],
      options: .stableHLOReduceWindow(
        .init(extents: [101, 101], padding: [50, 50, 50, 50], bodySubgraph: 1)))
    let model = TestModel.joined([main, ComputationTests.body(.add)])
    let work = 10_000 * 101 * 101 + 40_000
    #expect(throws: InferenceError.tooMuchWork(node: 0, work: work, limit: work - 1)) {
      try Interpreter(model: model, options: .init(workLimit: work - 1))
    }
    _ = try Interpreter(model: model, options: .init(workLimit: work))
  }

  @Test func paddedTensorsCountTowardTheMemoryLimit() {
    var main = TestModel()
    let x = main.tensor(.float32, [2])
    let y = main.tensor(.float32, [1])
    (main.inputs, main.outputs) = ([x], [y])
    main.add(
      .stablehloReduceWindow, [x, main.constant([Float(0)], [])], [y],
      options: .stableHLOReduceWindow(
        .init(extents: [1], strides: [1 << 30], padding: [0, 1 << 30], bodySubgraph: 1)))
    let model = TestModel.joined([main, ComputationTests.body(.add)])
    #expect {
      _ = try Interpreter(model: model)
    } throws: {
      guard case .tooLarge(_, let bytes, _)? = $0 as? InferenceError else { return false }
      return bytes > 4 << 30 && bytes < 5 << 30
    }
  }

  // MARK: Gather and scatter

  private func scatter(
    _ options: StableHLOScatterOptions, _ x: [Int] = [4, 5], _ indices: [Int] = [3, 1],
    _ updates: [Int] = [3, 5], type: ElementType = .int32, subgraphs: [Subgraph] = update
  ) -> InferenceError? {
    refusal(
      .stableHLOScatter,
      [Given(shape: x), Given(type: type, shape: indices), Given(shape: updates)],
      options: .stableHLOScatter(options), subgraphs: subgraphs)
  }

  private let rows = StableHLOScatterOptions(
    updateWindowAxes: [1], insertedWindowAxes: [0], scatterAxesToOperandAxes: [0],
    indexVectorAxis: 1)

  private func changed(
    _ change: (inout StableHLOScatterOptions) -> Void
  ) -> StableHLOScatterOptions {
    var options = rows
    change(&options)
    return options
  }

  @Test func refusesInvalidScatterAxes() {
    #expect(scatter(rows) == nil)
    #expect(
      scatter(changed { $0.indexVectorAxis = -1 }) == refused("index_vector_dim", -1))
    #expect(
      scatter(changed { $0.indexVectorAxis = 3 }) == refused("index_vector_dim", 3))
    #expect(
      scatter(changed { $0.scatterAxesToOperandAxes = [0, 1] })
        == refused("number of scatter_dims_to_operand_dims", 2))
    #expect(
      scatter(changed { $0.scatterAxesToOperandAxes = [2] })
        == refused("scatter_dims_to_operand_dims", 2))
    #expect(
      scatter(changed { $0.scatterAxesToOperandAxes = [Int.min] })
        == refused("scatter_dims_to_operand_dims", .min))
    #expect(
      scatter(changed { $0.scatterAxesToOperandAxes = [0, 0] }, [4, 5], [3, 2])
        == refused("scatter_dims_to_operand_dims", 0))
    #expect(
      scatter(changed { $0.updateWindowAxes = [2] }) == refused("update_window_dims", 2))
    #expect(
      scatter(changed { $0.updateWindowAxes = [-1] }) == refused("update_window_dims", -1))
    #expect(
      scatter(changed { $0.insertedWindowAxes = [Int.max] })
        == refused("inserted_window_dims", .max))
    #expect(
      scatter(changed { $0.insertedWindowAxes = [] }) == refused("number of update_window_dims", 1))
  }

  @Test func refusesInvalidScatterOperands() {
    #expect(
      scatter(rows, updates: [2, 5])
        == .extent(node: 0, operand: .input(2), axis: 0, found: 2, expected: 3))
    #expect(
      scatter(rows, updates: [3])
        == .rank(node: 0, operand: .input(2), found: 1, expected: 2...2))
    #expect(
      scatter(rows, type: .int16)
        == .unsupportedType(node: 0, operand: .input(1), found: .int16))
    #expect(
      scatter(changed { $0.computationSubgraph = -1 })
        == .noSuchSubgraph(index: -1, count: 1))
  }

  private func scatter(
    _ options: StableHLOScatterOptions, updates: [Int]
  ) -> InferenceError? {
    scatter(options, [4, 5], [3, 1], updates)
  }

  private func gather(
    _ options: StableHLOGatherOptions, _ indices: [Int] = [3, 1], x: [Int] = [4, 5]
  ) -> InferenceError? {
    refusal(
      .stableHLOGather, [Given(shape: x), Given(type: .int64, shape: indices)],
      options: .stableHLOGather(options))
  }

  @Test func refusesInvalidGathers() {
    var rows = StableHLOGatherOptions(
      offsetAxes: [1], collapsedSliceAxes: [0], startIndexMap: [0], indexVectorAxis: 1,
      sliceExtents: [1, 5])
    #expect(gather(rows) == nil)
    rows.sliceExtents = [1, 6]
    #expect(gather(rows) == refused("slice_sizes", 6))
    rows.sliceExtents = [2, 5]
    #expect(gather(rows) == refused("slice_sizes", 2))
    rows.sliceExtents = [1, -1]
    #expect(gather(rows) == refused("slice_sizes", -1))
    rows.sliceExtents = [1]
    #expect(gather(rows) == refused("number of slice_sizes", 1))
    rows.sliceExtents = [1, 5]
    rows.offsetAxes = []
    #expect(gather(rows) == refused("number of offset_dims", 0))
    rows.offsetAxes = [0, 1, 2, 3, 4, 5, 6, 7]
    #expect(
      gather(rows) == .rank(node: 0, operand: .output(0), found: 9, expected: 0...8))
    rows.offsetAxes = [1]
    rows.startIndexMap = []
    #expect(gather(rows) == refused("number of start_index_map", 0))
  }

  /// No slice of one element can be taken of an axis without elements.
  @Test func refusesSlicesOfNothing() {
    let rows = StableHLOGatherOptions(
      offsetAxes: [1], collapsedSliceAxes: [0], startIndexMap: [0], indexVectorAxis: 1,
      sliceExtents: [1, 5])
    #expect(gather(rows, x: [0, 5]) == refused("slice_sizes", 1))
  }

  // MARK: Padding and arithmetic

  @Test func refusesInvalidPads() {
    let big = StableHLORefusalTests.big
    func pad(_ before: [Int], _ after: [Int], _ between: [Int]) -> InferenceError? {
      refusal(
        .stableHLOPad, [Given(shape: [3]), Given()],
        options: .stableHLOPad(
          StableHLOPadOptions(before: before, after: after, between: between)))
    }
    #expect(pad([1], [-1], [2]) == nil)
    #expect(pad([1], [-1], []) == refused("number of interior_padding", 0))
    #expect(pad([1, 1], [-1], [2]) == refused("number of edge_padding_low", 2))
    #expect(pad([0], [0], [-1]) == refused("interior_padding", -1))
    #expect(pad([0], [0], [Int.max]) == refused("interior_padding", .max))
    #expect(pad([-2], [-2], [0]) == extent(0, -1))
    #expect(pad([big], [0], [0]) == extent(0, big + 3))
    #expect(pad([Int.min], [0], [0]) == refused("padding", .min))
    #expect(
      refusal(.dilate, [Given(shape: [3]), integers(0), Given()]) == refused("dilations", 0))
    #expect(
      refusal(.dilate, [Given(shape: [3, 2]), integers(1), Given()])
        == .elementCount(node: 0, operand: .input(1), found: 1, expected: 2))
  }

  @Test func refusesPairsOfOtherShapesOrTypes() {
    #expect(refusal(.stableHLOAdd, [Given(shape: [3]), Given(shape: [3])]) == nil)
    #expect(
      refusal(.stableHLOAdd, [Given(shape: [3]), Given(shape: [1])])
        == .extent(node: 0, operand: .input(1), axis: 0, found: 1, expected: 3))
    #expect(
      refusal(.stableHLOMaximum, [Given(shape: [3]), Given(type: .int8, shape: [3])])
        == .type(node: 0, operand: .input(1), found: .int8, expected: .float32))
  }
}
