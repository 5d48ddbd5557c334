import MartletWeights
import Testing

@testable import MartletVision

@Suite struct IdleInterpretersTests {
  /// 64 concurrent calls leave 8 interpreters, each with an arena.
  @Test func keepsEightInterpretersAtMost() throws {
    let model = try Model(FileBytes(ShippedModel.localizer.bytes))
    let prepared = try PreparedModel(model: model)
    let idle = IdleInterpreters(Interpreter(prepared), lock: .none)
    for _ in 0..<64 { idle.put(Interpreter(prepared)) }
    #expect(idle.interpreters.count == 8)
  }

  /// Five concurrent calls leave five interpreters. Calls one after another need one: the others are
  /// freed at the end of the first whole period.
  @Test func keepsAsManyAsWereNeededLately() throws {
    let prepared = try PreparedModel(
      model: Model(FileBytes(ShippedModel.localizer.bytes)))
    let idle = IdleInterpreters(Interpreter(prepared), lock: .none)
    let taken = (0..<5).map { _ in idle.take() ?? Interpreter(prepared) }
    for interpreter in taken { idle.put(interpreter) }
    #expect(idle.interpreters.count == 5)
    func runOnce() {
      let interpreter = idle.take()
      #expect(interpreter != nil)
      idle.put(interpreter ?? Interpreter(prepared))
    }
    for _ in 5..<IdleInterpreters.period { runOnce() }
    #expect(idle.interpreters.count == 5)
    for _ in 0..<IdleInterpreters.period { runOnce() }
    #expect(idle.interpreters.count == 1)
    for _ in 0..<2 * IdleInterpreters.period { runOnce() }
    #expect(idle.interpreters.count == 1)
  }

  @Test func trimFreesAll() throws {
    let prepared = try PreparedModel(
      model: Model(FileBytes(ShippedModel.localizer.bytes)))
    let idle = IdleInterpreters(Interpreter(prepared), lock: .none)
    for _ in 0..<3 { idle.put(Interpreter(prepared)) }
    let running = try #require(idle.take())
    idle.trim()
    #expect(idle.interpreters.isEmpty && idle.take() == nil)
    // One that was in use returns.
    idle.put(running)
    #expect(idle.interpreters.count == 1)
  }
}
