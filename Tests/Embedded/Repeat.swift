//===--- Repeat.swift - runs a network twice ------------------------------===//
//
// The network is on standard input, and its inputs are zeros. What goes wrong is printed. `.ci/check/counts-arm64`
// counts instructions between the last two calls of `mark`.
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
