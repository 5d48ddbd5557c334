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
}
