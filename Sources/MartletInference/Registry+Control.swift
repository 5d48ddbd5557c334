//===--- Registry+Control.swift - operators that run subgraphs ------------===//
//
// Control flow and variables. Their rooms are in `Operators/`; the interpreter's states do their
// work (see SubgraphState+Control).
//===----------------------------------------------------------------------===//

extension Registry {
  static let controlOperators: [Registration] = [
    .if, .while, .composite, .callOnce, .varHandle, .readVariable, .assignVariable,
  ]
}
