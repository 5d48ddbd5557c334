//===--- Repeat.swift - runs a network twice ------------------------------===//
//
// Reads the network from standard input; its inputs are zeros. Prints errors.
// `.ci/check/counts-arm64` counts the instructions between the last two calls of `mark`.
//===----------------------------------------------------------------------===//

import MartletInference
import MartletModel

@inline(never)
private func mark() {}

@main
struct Repeat {
  static func main() {
    do throws(ModelError) {
      let model = try Model(bytes: input())
      do throws(InferenceError) {
        let interpreter = try Interpreter(model: model)
        for _ in 0..<2 {
          mark()
          try interpreter.invoke()
        }
        mark()
      } catch { output(error.description) }
    } catch { output(error.description) }
  }
}
