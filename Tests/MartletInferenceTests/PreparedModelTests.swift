import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletInference
@testable import MartletModel

/// Many interpreters that share one prepared model.
@Suite(.timeLimit(.minutes(5))) struct PreparedModelTests {
  /// A fully connected layer whose weights are packed, then a loop, so that states have children: y
  /// = x W, doubled `n` times.
  func model() -> Model {
    var main = TestModel()
    let x = main.tensor(.float32, [1, 8])
    let n = main.tensor(.int32, [])
    let w = main.constant((0..<64).map { Float($0 % 9 == 0 ? 1 : 0) }, [8, 8])
    let product = main.tensor(.float32, [1, 8])
    let left = main.tensor(.int32, [])
    let y = main.tensor(.float32, [1, 8])
    main.inputs = [x, n]
    main.outputs = [y]
    main.add(
      .fullyConnected, [x, w], [product], options: .fullyConnected(FullyConnectedOptions()))
    main.add(
      .while, [n, product], [left, y],
      options: .while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 2)))
    var condition = TestModel()
    let seen = condition.tensor(.int32, [])
    _ = condition.tensor(.float32, [1, 8])
    let zero = condition.constant([Int32(0)], [])
    let isMore = condition.tensor(.bool, [])
    condition.inputs = [0, 1]
    condition.outputs = [isMore]
    condition.add(.greater, [seen, zero], [isMore])
    var body = TestModel()
    let count = body.tensor(.int32, [])
    let value = body.tensor(.float32, [1, 8])
    let one = body.constant([Int32(1)], [])
    let less = body.tensor(.int32, [])
    let doubled = body.tensor(.float32, [1, 8])
    body.inputs = [count, value]
    body.outputs = [less, doubled]
    body.add(.sub, [count, one], [less], options: .sub(AddOptions()))
    body.add(.add, [value, value], [doubled], options: .add(AddOptions()))
    return TestModel.joined([main, condition, body])
  }

  @Test(arguments: KernelSet.allCases, [1, 2])
  func eightTasksShareOnePreparedModel(_ kernels: KernelSet, workers: Int) async throws {
    let prepared = try PreparedModel(
      model: model(), options: .init(kernels: kernels, workers: .pool(count: workers)))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          let interpreter = Interpreter(prepared)
          for run in 0..<50 {
            let count = Int32((run + task) % 5)
            try interpreter.setInput(1, to: count.littleEndianBytes)
            let x = (0..<8).map { Float($0 + task) }
            let y: [Float] = try interpreter.run([x])
            if y != x.map({ $0 * Float(1 << count) }) { return false }
          }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func interpretersReadConstantsInPlace() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [4])
    let c = test.constant([Float(1), 2, 3, 4], [4])
    let y = test.tensor(.float32, [4])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.add, [x, c], [y], options: .add(AddOptions()))
    let model = test.model
    let start = UInt(bitPattern: model.bytes.memory.baseAddress)
    let range = start..<start + 16
    for _ in 0..<2 {
      let interpreter = try Interpreter(model: model)
      #expect(range.contains(UInt(bitPattern: interpreter.plan.tensors.addresses[c])))
      #expect(interpreter.memory.copied == 0)
      #expect(interpreter.memory.file == model.bytes.count)
    }
  }

  @Test func copiesAndCountsMisalignedConstants() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [4])
    let c = test.constant([Float(1), 2, 3, 4], [4], misalignedBy: 3)
    let y = test.tensor(.float32, [4])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.add, [x, c], [y], options: .add(AddOptions()))
    let interpreter = try test.interpreter()
    #expect(interpreter.memory.copied == 16)
    #expect(try interpreter.run([[Float(1), 1, 1, 1]]) == [2, 3, 4, 5])
  }

  /// Offsets that are multiples of the element size need no copy.
  @Test(arguments: [0, 4, 8, 12])
  func readsAlignedConstantsInPlace(offset: Int) throws {
    var test = TestModel()
    let x = test.tensor(.float32, [4])
    let c = test.constant([Float(1), 2, 3, 4], [4], misalignedBy: offset)
    let y = test.tensor(.float32, [4])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.add, [x, c], [y], options: .add(AddOptions()))
    #expect(try test.interpreter().memory.copied == 0)
  }

  @Test func acceptsInputsOutsideTheArena() throws {
    let model = InterpreterTests().sum(32).model
    let options = Interpreter.Options()
    let owning = try PreparedModel(model: model, subgraph: 0, options: options, registry: .builtin)
    let external = try PreparedModel(
      model: model, subgraph: 0, options: options, registry: .builtin, ownsInputs: false)
    #expect(owning.memory.arena == 256)
    #expect(external.memory.arena == 128)
    var x = (0..<32).map { Float($0) }
    try x.withUnsafeMutableBytes { memory in
      let start = try #require(memory.baseAddress)
      let interpreter = Interpreter(external, inputs: [start])
      #expect(try interpreter.run([[Float]]()) == (0..<32).map { Float(2 * $0) })
      try interpreter.resizeInput(0, to: [32])
      #expect(interpreter.memory.arena == 256)
      #expect(try interpreter.run([[Float]]()) == (0..<32).map { Float($0) })
    }
    #expect(x == (0..<32).map { Float($0) })
  }

  /// y = x W for int4 weights.
  func narrowModel(misalignedBy offset: Int = 0) -> Model {
    var test = TestModel()
    let x = test.tensor(.float32, [1, 3])
    let w = test.constant(
      [UInt8(0xf1), 0x28, 0x7d], [2, 3], type: .int4,
      quantization: Quantization(scale: 0.5, zeroPoint: 0), misalignedBy: offset)
    let y = test.tensor(.float32, [1, 2])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.fullyConnected, [x, w], [y], options: .fullyConnected(FullyConnectedOptions()))
    return test.model
  }

  @Test(arguments: [0, 1])
  func unpacksNarrowConstantsOnceForAllInterpreters(misalignedBy offset: Int) throws {
    let prepared = try PreparedModel(model: narrowModel(misalignedBy: offset))
    let interpreters = [Interpreter(prepared), Interpreter(prepared)]
    #expect(prepared.memory.copied == 6)
    #expect(Set(interpreters.map { $0.plan.tensors.addresses[1] }).count == 1)
    for interpreter in interpreters {
      // 1, -1, -8 and 2, -3, 7, halved.
      #expect(try interpreter.run([[Float(127), 0, 0]]) == [63.5, 127])
      #expect(try interpreter.run([[Float(0), 0, 127]]) == [-508, 444.5])
    }
  }

  @Test func unpackedConstantsCountTowardTheMemoryLimit() throws {
    #expect(throws: InferenceError.tooLarge(node: 0, bytes: 6, limit: 5)) {
      try PreparedModel(model: narrowModel(), options: .init(memoryLimit: 5))
    }
  }

  @Test func narrowInputsAndOutputsAreBytes() throws {
    var test = TestModel()
    let x = test.tensor(.int4, [3])
    let y = test.tensor(.int4, [3])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.reshape, [x], [y], options: .reshape(ReshapeOptions(newShape: [3])))
    let interpreter = try test.interpreter()
    #expect(interpreter.inputs[0].type == .int8)
    #expect(interpreter.outputs[0].type == .int8)
    #expect(try interpreter.run([[Int8(-8), 7, 0]]) == [Int8(-8), 7, 0])
  }

  @Test func resizingOneInterpreterDoesNotAffectOthers() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    let y = test.tensor(.float32, [1])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.neg, [x], [y])
    let prepared = try PreparedModel(model: test.model)
    let first = Interpreter(prepared)
    let second = Interpreter(prepared)
    try first.resizeInput(0, to: [3])
    #expect(try first.run([[Float(1), 2, 3]]) == [-1, -2, -3])
    #expect(try second.run([[Float(1)]]) == [-1])
  }
}
