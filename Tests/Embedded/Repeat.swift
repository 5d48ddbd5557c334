//===--- Repeat.swift - runs a network some times -------------------------===//
//
// Standard input is a digit and a model, which runs that many times on inputs of zeros, for
// `.ci/count-arm64`. What goes wrong is printed.
//===----------------------------------------------------------------------===//

import MartletInference
import MartletModel

@main
struct Repeat {
  static func main() {
    let bytes = input()
    guard let digit = bytes.first else { return output("no digit") }
    do throws(ModelError) {
      let model = try Model(bytes: Array(bytes.dropFirst()))
      do throws(InferenceError) {
        let interpreter = try Interpreter(model: model)
        for _ in 0..<Int(digit - UInt8(ascii: "0")) { try interpreter.invoke() }
      } catch { output(error.description) }
    } catch { output(error.description) }
  }
}
