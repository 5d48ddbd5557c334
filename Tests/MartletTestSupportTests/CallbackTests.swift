import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CallbackTests {
  @Test func returnsTheFirstValue() async throws {
    let value = try await callbackValue { done in
      done(1)
      done(2)
    }
    #expect(value == 1)
  }

  @Test func missingCallbackEndsWithTheTask() async {
    let task = Task { try await callbackValue { (_: @escaping @Sendable (Int) -> Void) in } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
