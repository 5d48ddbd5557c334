//===--- Float32Unary.swift - unary float loops ---------------------------===//
//
// y[i] = f(x[i]), eight elements at a time, as in `VectorMath`, or one register of them.
//
// Contract  `count` is a multiple of eight. y may be the memory of x. Bit-exact with the reference
//           kernels: each operation is rounded separately, none is fused.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

extension Level {
  package static func float32Unary(
    _ x: UnsafePointer<Float>, count: Int, _ function: FloatFunction,
    into y: UnsafeMutablePointer<Float>
  ) {
    switch function {
    case .clamp(let range):
      map(x, count, y, Clamp(low: range.lowerBound, high: range.upperBound))
    case .leakyRelu(let factor): map(x, count, y, LeakyRelu(factor: factor))
    case .hardSwish: map(x, count, y, HardSwish())
    case .logistic: map(x, count, y, Logistic())
    case .tanh: map(x, count, y, Tanh())
    case .exp: map(x, count, y, Exp())
    case .squareRoot: map(x, count, y, SquareRoot())
    case .inverseSquareRoot: map(x, count, y, InverseSquareRoot())
    case .elu: map(x, count, y, Elu())
    }
  }
}

private typealias Eight = SIMD8<Float>

/// A function of a vector. It is a type, because a closure would be called for each vector.
private protocol Function {
  func callAsFunction(_ x: Eight) -> Eight
}

@inline(__always)
private func map<F: Function>(
  _ x: UnsafePointer<Float>, _ count: Int, _ y: UnsafeMutablePointer<Float>, _ function: F
) {
  var i = 0
  while i < count {
    store(function(load(x + i)), to: y + i)
    i &+= Eight.scalarCount
  }
}

#if MARTLET_V4
  private typealias Register = SIMD16<Float>
#else
  private typealias Register = Eight
#endif

/// A function of a register.
private protocol RegisterFunction {
  func callAsFunction(_ x: Register) -> Register
}

@inline(__always)
private func map<F: RegisterFunction>(
  _ x: UnsafePointer<Float>, _ count: Int, _ y: UnsafeMutablePointer<Float>, _ function: F
) {
  var i = 0
  while i &+ Register.scalarCount <= count {
    store(function(load(x + i)), to: y + i)
    i &+= Register.scalarCount
  }
  #if MARTLET_V4
    if i < count {
      let eight: Eight = load(x + i)
      store(function(Register(lowHalf: eight, highHalf: eight)).lowHalf, to: y + i)
    }
  #endif
}

/// For two zeros the bound's sign is used; NaN is preserved.
private struct Clamp: RegisterFunction {
  let low: Float
  let high: Float
  @inline(__always) func callAsFunction(_ x: Register) -> Register {
    let raised = x.replacing(with: low, where: Register(repeating: low) .>= x)
    return raised.replacing(with: high, where: Register(repeating: high) .< raised)
  }
}

private struct LeakyRelu: RegisterFunction {
  let factor: Float
  @inline(__always) func callAsFunction(_ x: Register) -> Register {
    (x * factor).replacing(with: x, where: x .> 0)
  }
}

private struct HardSwish: RegisterFunction {
  @inline(__always) func callAsFunction(_ x: Register) -> Register {
    let ramp = x + 3
    let raised = Register.zero.replacing(with: ramp, where: ramp .>= 0)
    return x * Register(repeating: 6).replacing(with: raised, where: raised .< 6) / 6
  }
}

private struct Logistic: Function {
  @inline(__always) func callAsFunction(_ x: Eight) -> Eight { VectorMath.logistic(x) }
}
private struct Tanh: Function {
  @inline(__always) func callAsFunction(_ x: Eight) -> Eight { VectorMath.tanh(x) }
}
private struct Exp: Function {
  @inline(__always) func callAsFunction(_ x: Eight) -> Eight { VectorMath.exp(x) }
}
private struct SquareRoot: Function {
  @inline(__always) func callAsFunction(_ x: Eight) -> Eight { squareRoot(x) }
}
private struct InverseSquareRoot: Function {
  @inline(__always) func callAsFunction(_ x: Eight) -> Eight { 1 / squareRoot(x) }
}
private struct Elu: Function {
  @inline(__always) func callAsFunction(_ x: Eight) -> Eight {
    VectorMath.expMinusOne(ofNegative: x).replacing(with: x, where: x .> 0)
  }
}
