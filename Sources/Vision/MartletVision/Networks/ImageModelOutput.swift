//===--- ImageModelOutput.swift - a network's outputs ---------------------===//
//
// Contract  Outputs of float32, and of uint8 and int8 with a scale, are read as real numbers.
// Cost      `Output` copies the elements; `Reals` reads them from the interpreter's memory.
//===----------------------------------------------------------------------===//

extension ImageModel {
  /// The elements of an output as real numbers, and their shape in that run.
  struct Output {
    let shape: Shape
    let elements: [Float]
  }

  /// The elements of an output as real numbers, read from the interpreter's memory.
  @safe struct Reals {
    let shape: Shape
    let count: Int
    /// The type of the elements in memory: one that `checkReal` accepts.
    let type: ElementType
    /// Holds exactly `count` elements of this type.
    private let memory: UnsafeRawBufferPointer
    private let scale: Float
    private let zeroPoint: Int32

    init(_ memory: UnsafeRawBufferPointer, of tensor: InterfaceTensor) {
      shape = tensor.shape
      count = tensor.shape.elementCount
      type = tensor.type
      unsafe self.memory = memory
      scale = tensor.quantization?.scale ?? 1
      zeroPoint = Int32(clamping: tensor.quantization?.zeroPoint ?? 0)
    }

    /// Calls `body` with the elements in memory, which are valid during the call only.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      unsafe body(memory)
    }

    /// - Precondition: `index` is less than `count`. Any four bytes are a `Float`.
    subscript(index: Int) -> Float {
      precondition(index >= 0 && index < count)
      return switch type {
      case .float32: unsafe memory.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
      case .int8: real(unsafe Int8(bitPattern: memory[index]))
      default: real(unsafe memory[index])
      }
    }

    /// Eight elements.
    ///
    /// - Precondition: `index + 8` is at most `count`.
    func eight(from index: Int) -> SIMD8<Float> {
      precondition(index >= 0 && index <= count - 8)
      switch type {
      case .float32:
        return unsafe memory.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
      case .int8:
        return reals(
          unsafe memory.loadUnaligned(fromByteOffset: index, as: SIMD8<Int8>.self))
      default:
        return reals(
          unsafe memory.loadUnaligned(fromByteOffset: index, as: SIMD8<UInt8>.self))
      }
    }

    @inline(__always)
    private func reals<Byte: FixedWidthInteger>(_ bytes: SIMD8<Byte>) -> SIMD8<Float> {
      SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: bytes) &- zeroPoint) * scale
    }

    /// All elements, by a loop for each type.
    var elements: [Float] {
      switch type {
      case .float32:
        copy { unsafe memory.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      case .int8: copy { real(unsafe Int8(bitPattern: memory[$0])) }
      default: copy { real(unsafe memory[$0]) }
      }
    }

    @inline(__always) private func copy(_ element: (Int) -> Float) -> [Float] {
      unsafe [Float](unsafeUninitializedCapacity: count) { elements, initializedCount in
        for index in 0..<count { unsafe elements[index] = element(index) }
        initializedCount = count
      }
    }

    @inline(__always) private func real(_ byte: some FixedWidthInteger) -> Float {
      scale * Float(Int32(byte) &- zeroPoint)
    }
  }

  /// Throws unless the elements of an output represent real numbers.
  static func checkReal(_ output: InterfaceTensor) throws(VisionError) {
    switch output.type {
    case .float32: return
    case .uint8, .int8:
      guard output.quantization != nil else {
        throw .unsuitable(.outputQuantization(tensor: output.name))
      }
    default: throw .unsuitable(.outputType(tensor: output.name, found: output.type))
    }
  }

  /// The outputs with these indices after a run.
  static func read(
    _ indices: some Sequence<Int>, of interpreter: Interpreter
  ) throws(VisionError) -> [Output] {
    let tensors = interpreter.outputs
    return try indices.map { (index) throws(VisionError) in
      try ImageModel.read(index, of: interpreter, tensors) { reals in
        Output(shape: reals.shape, elements: reals.elements)
      }
    }
  }

  /// Calls `body` with output `index` after a run. `tensors` are the outputs of that run.
  static func read<Result>(
    _ index: Int, of interpreter: Interpreter, _ tensors: [InterfaceTensor],
    _ body: (Reals) -> Result
  ) throws(VisionError) -> Result {
    guard tensors.indices.contains(index) else {
      throw .unsuitable(.outputCount(found: tensors.count, needed: index + 1))
    }
    let tensor = tensors[index]
    try checkReal(tensor)
    do throws(InferenceError) {
      return try unsafe interpreter.withOutput(index) { memory in
        body(unsafe Reals(memory, of: tensor))
      }
    } catch { throw .inference(error) }
  }
}

extension ImageModel {
  /// Calls `body` with all outputs after a run; `reals` are the first of them. `tensors` are the
  /// outputs of that run.
  static func readAll<Value>(
    of interpreter: Interpreter, _ tensors: [InterfaceTensor], after reals: [Reals] = [],
    _ body: (HeadOutputs) throws(VisionError) -> Value
  ) throws(VisionError) -> Value {
    guard reals.count < tensors.count else { return try body(HeadOutputs(reals: reals)) }
    let result = try read(reals.count, of: interpreter, tensors) { next in
      Result { () throws(VisionError) in
        try readAll(of: interpreter, tensors, after: reals + [next], body)
      }
    }
    return try result.get()
  }
}

extension Collection<Float> {
  /// Throws if one of these elements of the output `tensor` is NaN or infinite.
  func checkFinite(_ tensor: String) throws(VisionError) {
    for (index, element) in enumerated() where !element.isFinite {
      throw .unsuitable(.finiteOutput(tensor: tensor, index: index, found: element))
    }
  }
}
