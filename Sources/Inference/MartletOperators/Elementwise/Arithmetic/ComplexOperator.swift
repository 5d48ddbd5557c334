//===--- ComplexOperator.swift - REAL, IMAG, COMPLEX_ABS ------------------===//
//
// Input   0 x: complex64 or complex128.
// Output  0 y: x's shape, float32 or float64: the real part, the imaginary part, the magnitude.
// Source  LiteRT 2.3.0 `complex_support.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Registration {
  static let real = Registration(.real, versions: 1...1) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .complex128: try preparePart(&p, Double.self) { real, _ in real }
    default: try preparePart(&p, Float.self) { real, _ in real }
    }
  }
  static let imag = Registration(.imag, versions: 1...1) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .complex128: try preparePart(&p, Double.self) { $1 }
    default: try preparePart(&p, Float.self) { $1 }
    }
  }
  static let complexAbs = Registration(.complexAbs, versions: 1...1) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .complex128: try preparePart(&p, Double.self) { VectorMath.hypotenuse($0, $1) }
    default: try preparePart(&p, Float.self) { VectorMath.hypotenuse($0, $1) }
    }
  }
}

/// Complex numbers are stored as pairs of real and imaginary part.
private func preparePart<Scalar: Element>(
  _ p: inout Preparation, _: Scalar.Type,
  _ part: @escaping @Sendable (Scalar, Scalar) -> Scalar
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  let type = try p.input(0).type
  guard type == .complex64 || type == .complex128 else {
    throw .unsupportedType(node: p.node, operand: .input(0), found: type)
  }
  let x = try p.inputBytes(0)
  let y = try p.output(0, as: Scalar.self, shape: x.shape)
  return { e in
    let pairs = e[x].assumingMemoryBound(to: Scalar.self)
    for i in 0..<y.count { e[y][i] = part(pairs[2 * i], pairs[2 * i + 1]) }
  }
}
