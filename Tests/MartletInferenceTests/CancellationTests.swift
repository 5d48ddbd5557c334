import MartletBase
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletInference
@testable import MartletModel

/// Work of minutes or hours ends soon after its time limit or its cancellation.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
  /// The allowed delay. Work checks the limit every 10 ms, but other tests run at the same time.
  private let allowance = Duration.seconds(10)

  /// while (true) { x = x ^ 1.0001 }
  private func powers(_ count: Int) -> Model {
    var main = TestModel()
    let start = main.tensor(.float32, [count])
    let y = main.tensor(.float32, [count])
    main.inputs = [start]
    main.outputs = [y]
    main.add(
      .while, [start], [y], options: .while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 2)))
    var body = TestModel()
    let x = body.tensor(.float32, [count])
    let exponent = body.constant([Float(1.0001)], [1])
    let power = body.tensor(.float32, [count])
    body.inputs = [x]
    body.outputs = [power]
    body.add(.pow, [x, exponent], [power])
    return TestModel.joined([main, endless(count), body])
  }

  /// A condition that is true for any x.
  private func endless(_ count: Int) -> TestModel {
    var condition = TestModel()
    let x = condition.tensor(.float32, [count])
    let shape = condition.tensor(.int32, [1])
    let zero = condition.constant([Int32(0)], [1])
    let holds = condition.tensor(.bool, [1])
    condition.inputs = [x]
    condition.outputs = [holds]
    condition.add(.shape, [x], [shape], options: .shape(ArgOptions()))
    condition.add(.greater, [shape, zero], [holds])
    return condition
  }

  /// while (true) { x = x ++ [0] }: each iteration is prepared again.
  private func growing() -> Model {
    var main = TestModel()
    let start = main.tensor(.float32, [1])
    let y = main.tensor(.float32, [1])
    main.inputs = [start]
    main.outputs = [y]
    main.add(
      .while, [start], [y], options: .while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 2)))
    var body = TestModel()
    let x = body.tensor(.float32, [1])
    let zero = body.constant([Float(0)], [1])
    let longer = body.tensor(.float32, [2])
    body.inputs = [x]
    body.outputs = [longer]
    body.add(.concatenation, [x, zero], [longer], options: .concatenation(ConcatenationOptions()))
    return TestModel.joined([main, endless(1), body])
  }

  /// Products of constants, computed during preparation.
  private func products(_ side: Int, count: Int) -> Model {
    var test = TestModel()
    let matrix = test.constant([Float](repeating: 0.5, count: side * side), [side, side])
    var last = matrix
    for _ in 0..<count {
      let product = test.tensor(.float32, [side, side])
      test.add(
        .batchMatmul, [last, matrix], [product], options: .batchMatMul(BatchMatMulOptions()))
      last = product
    }
    let x = test.tensor(.float32, [side, side])
    let y = test.tensor(.float32, [side, side])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.add, [x, last], [y], options: .add(AddOptions()))
    return test.model
  }

  /// One large POW, which is a single node.
  private func power(_ count: Int) -> Model {
    var test = TestModel()
    let x = test.tensor(.float32, [count])
    let y = test.tensor(.float32, [count])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.pow, [x, x], [y])
    return test.model
  }

  private func expectDeadline(
    _ limit: Duration, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let elapsed = ContinuousClock().measure {
      let error = #expect(throws: InferenceError.self, sourceLocation: sourceLocation) {
        try body()
      }
      #expect(error?.innermost.isDeadline == true, sourceLocation: sourceLocation)
    }
    #expect(elapsed < limit + allowance, sourceLocation: sourceLocation)
  }

  private static let limit = Duration.milliseconds(20)

  private func options(
    _ kernels: KernelSet = .fast, _ workers: Workers = .serial
  ) -> Interpreter.Options {
    Interpreter.Options(
      kernels: kernels, workers: workers, workLimit: Int.max,
      cancellation: .timeLimit(seconds: 0.02))
  }

  @Test(arguments: [1, 2]) func loopOverPowersStopsAtTheTimeLimit(workers: Int) throws {
    let interpreter = try Interpreter(
      model: powers(1 << 20), options: options(.fast, .pool(count: workers)))
    expectDeadline(CancellationTests.limit) { try interpreter.invoke() }
  }

  @Test func growingLoopStopsAtTheTimeLimit() throws {
    let interpreter = try Interpreter(model: growing(), options: options())
    expectDeadline(CancellationTests.limit) { try interpreter.invoke() }
  }

  @Test(arguments: KernelSet.allCases)
  func foldingConstantsStopsAtTheTimeLimit(kernels: KernelSet) throws {
    let model = products(512, count: 200)
    expectDeadline(CancellationTests.limit) {
      _ = try PreparedModel(model: model, options: options(kernels))
    }
  }

  @Test(arguments: [1, 2]) func singleNodeStopsAtTheTimeLimit(workers: Int) throws {
    let interpreter = try Interpreter(
      model: power(1 << 24), options: options(.fast, .pool(count: workers)))
    expectDeadline(CancellationTests.limit) { try interpreter.invoke() }
  }

  @Test func stopsIfAnotherThreadCancels() async throws {
    let isCancelled = FlagForCheck()
    let options = Interpreter.Options(
      workLimit: Int.max,
      cancellation: CancellationCheck { isCancelled.value ? .cancelled : nil })
    let prepared = try PreparedModel(model: powers(1 << 18), options: options)
    let clock = ContinuousClock()
    let run = Task.detached { () -> (InferenceError?, ContinuousClock.Instant) in
      do throws(InferenceError) {
        try Interpreter(prepared).invoke()
        return (nil, clock.now)
      } catch { return (error, clock.now) }
    }
    try await Task.sleep(for: .milliseconds(50))
    let start = clock.now
    isCancelled.set()
    let (error, end) = await run.value
    #expect(error?.innermost.isCancelled == true)
    #expect(end - start < allowance)
  }

  @Test func runsAgainAfterCancellation() throws {
    let isCancelled = FlagForCheck()
    let options = Interpreter.Options(
      cancellation: CancellationCheck { isCancelled.value ? .cancelled : nil })
    let interpreter = try Interpreter(model: power(2), options: options)
    isCancelled.set()
    #expect(throws: InferenceError.cancelled(node: 0)) { try interpreter.invoke() }
    isCancelled.clear()
    #expect(try interpreter.run([[Float(2), 3]]) == [4, 27])
  }

  /// The limit is about a quarter of a second. Three times as long is allowed, and as much again
  /// for a busy or slow machine.
  @Test(arguments: ["powers", "growing"])
  func workLimitBoundsTheTime(loop: String) throws {
    let options = Interpreter.Options(workLimit: 1 << 26)
    let interpreter = try Interpreter(
      model: loop == "powers" ? powers(1 << 16) : growing(), options: options)
    let elapsed = ContinuousClock().measure {
      let error = #expect(throws: InferenceError.self) { try interpreter.invoke() }
      guard case .tooMuchWork = error?.innermost else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(elapsed < .milliseconds(2 * 3 * 268) + allowance)
  }
}

private final class FlagForCheck: Sendable {
  private let flag = Mutex(false)
  var value: Bool { flag.withLock { $0 } }
  func set() { flag.withLock { $0 = true } }
  func clear() { flag.withLock { $0 = false } }
}

extension InferenceError {
  fileprivate var isDeadline: Bool {
    if case .deadlineExceeded = self { true } else { false }
  }

  fileprivate var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}
