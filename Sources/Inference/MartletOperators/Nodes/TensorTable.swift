//===--- TensorTable.swift - tensors of a subgraph ------------------------===//
//
// One row per tensor: its type, its shape, its memory, and whether its elements are known. Rows for
// scratch memory follow, which have only an address. The same table is used while a graph is built
// and while it runs.
//
// Contract  A tensor without memory has the placeholder's address and no bytes. A known tensor's
//           elements are in memory, and nothing writes them.
// Cost      Copies share their arrays until one of them changes.
//===----------------------------------------------------------------------===//

import MartletModel
public import MartletBase

/// The variable or table that a tensor of type `resource` refers to, by its index in the model.
package enum Resource: Equatable, Sendable {
  case variable(Int)
  case table(Int)
}

/// The description of one tensor of a subgraph.
public struct TensorInfo: Sendable {
  /// The tensor's index in its subgraph.
  @usableFromInline
  package let index: Int
  /// The element type in the file, or that set by the operator that computes the tensor.
  @usableFromInline
  package var declaredType: ElementType
  /// The extents; for an output, those in the file until its operator sets them.
  public package(set) var shape: Shape
  /// The map from integers to real numbers, or `nil` if the file has none.
  public let quantization: Quantization?
  /// Whether the elements are known before the graph runs.
  public package(set) var isConstant: Bool
  /// The file's other quantization parameters.
  package var quantizationDetails: QuantizationDetails?
  /// Whether the tensor keeps its values between runs.
  package var isVariable = false
  /// What a tensor of type `resource` refers to, if known.
  package var resource: Resource?

  package init(
    index: Int, declaredType: ElementType, shape: Shape, quantization: Quantization?,
    isConstant: Bool, quantizationDetails: QuantizationDetails? = nil, isVariable: Bool = false,
    resource: Resource? = nil
  ) {
    self.index = index
    self.declaredType = declaredType
    self.shape = shape
    self.quantization = quantization
    self.isConstant = isConstant
    self.quantizationDetails = quantizationDetails
    self.isVariable = isVariable
    self.resource = resource
  }

  /// Creates the description of a tensor in the file.
  package init(_ index: Int, _ tensor: TensorDescription, isConstant: Bool) {
    self.init(
      index: index, declaredType: tensor.type, shape: tensor.shape,
      quantization: tensor.quantization, isConstant: isConstant,
      quantizationDetails: tensor.details, isVariable: tensor.isVariable)
  }

  /// The type of the elements in memory. Integers of less than a byte take one byte each: int8 for
  /// int4 and int2, uint8 for uint4.
  public var type: ElementType { declaredType.unpacked }

  /// The size of its elements in bytes, or `nil` if it overflows.
  package var byteCount: Int? { type.byteCount(of: shape.elementCount) }
}

/// The tensors of a subgraph and their memory, by index. It is safe to keep: whoever sets memory
/// keeps it alive as long as the table, and states its size.
@safe package struct TensorTable {
  /// The types and shapes.
  package var infos: [TensorInfo]
  /// The address of each slot's memory: tensors first, then scratch memory.
  package private(set) var addresses: [UnsafeMutableRawPointer]
  /// The number of rows, including those of scratch memory.
  package var slotCount: Int { unsafe addresses.count }
  /// The number of bytes at each tensor's address; 0 if it has no memory yet.
  package private(set) var byteCounts: [Int]
  /// Whether each tensor's elements are known: constants, and during a run what has been computed.
  private var isKnown: [Bool]

  /// The address of slots without memory.
  private static let placeholder = Arena(byteCount: 0)

  /// Creates a table of tensors; `known` holds the elements of constants.
  package init(_ infos: [TensorInfo], known: [UnsafeRawBufferPointer?]) {
    self.infos = infos
    unsafe addresses = unsafe known.map {
      unsafe UnsafeMutableRawPointer(mutating: $0?.baseAddress) ?? TensorTable.placeholder.base
    }
    byteCounts = unsafe known.map { unsafe $0?.count ?? 0 }
    isKnown = unsafe known.map { unsafe $0 != nil }
  }

  /// Returns a tensor's elements if they are known.
  package func known(_ tensor: Int) -> UnsafeRawBufferPointer? {
    unsafe isKnown[tensor] ? memory(of: tensor) : nil
  }

  /// Returns a tensor's memory.
  package func memory(of tensor: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: addresses[tensor], count: byteCounts[tensor])
  }

  /// Sets a tensor's memory.
  package mutating func place(
    _ tensor: Int, at address: UnsafeMutableRawPointer, byteCount: Int
  ) {
    unsafe addresses[tensor] = address
    byteCounts[tensor] = byteCount
  }

  /// Marks a tensor's elements as known.
  package mutating func setKnown(_ tensor: Int) { isKnown[tensor] = true }

  /// Appends a row for scratch memory.
  package mutating func addScratch(at address: UnsafeMutableRawPointer? = nil) {
    unsafe addresses.append(address ?? TensorTable.placeholder.base)
  }

  /// Sets the address of a row for scratch memory.
  package mutating func placeScratch(_ slot: Int, at address: UnsafeMutableRawPointer) {
    unsafe addresses[slot] = address
  }

  /// Removes the last rows for scratch memory.
  package mutating func removeScratch(_ count: Int) {
    unsafe addresses.removeLast(count)
  }
}
