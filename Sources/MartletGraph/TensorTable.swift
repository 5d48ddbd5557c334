//===--- TensorTable.swift - the tensors of a subgraph --------------------===//
//
// One row for each tensor: its type, its shape, where its elements are, and whether they are known.
// Behind the tensors come rows for scratch memory, which have an address alone. The same table serves
// while a graph is built and while it runs.
//
// Contract  A tensor without memory has the address of the placeholder and no bytes. The elements of
//           a known tensor are there, and nobody writes them.
// Cost      A copy shares its arrays until one of both is changed.
// Checked   Tests/MartletInferenceTests/PreparationTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletRuntime
public import MartletTensor

/// What a tensor of type `resource` stands for, by its index in the model.
package enum Resource: Equatable, Sendable {
  case variable(Int)
  case table(Int)
}

/// What is known of one tensor of a subgraph.
public struct TensorInfo: Sendable {
  /// The tensor's index in its subgraph.
  @usableFromInline
  package let index: Int
  /// The type that the file gives the elements, or the operator that computes them.
  @usableFromInline
  package var declaredType: ElementType
  /// The extents; those of an output are the file's until the operator states them.
  public package(set) var shape: Shape
  /// How integers stand for reals, or `nil` if the file says nothing of it.
  public let quantization: Quantization?
  /// Whether the elements are known before the graph runs.
  public package(set) var isConstant: Bool
  /// What the file says of quantization beyond that.
  package var quantizationDetails: QuantizationDetails?
  /// Whether it keeps its values from run to run.
  package var isVariable = false
  /// What a tensor of type `resource` stands for, as far as known.
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

  /// A tensor as the file describes it.
  package init(_ index: Int, _ tensor: TensorDescription, isConstant: Bool) {
    self.init(
      index: index, declaredType: tensor.type, shape: tensor.shape,
      quantization: tensor.quantization, isConstant: isConstant,
      quantizationDetails: tensor.details, isVariable: tensor.isVariable)
  }

  /// The type of the elements in memory, where integers of less than a byte have one each: int8 for
  /// int4 and int2, uint8 for uint4.
  public var type: ElementType { declaredType.unpacked }

  /// The bytes of its elements, or `nil` if they are too many to be counted.
  package var byteCount: Int? { type.byteCount(of: shape.elementCount) }
}

/// The tensors of a subgraph and their memory, by index. Safe to hold: whoever places memory keeps it as
/// long as the table, and says how many bytes there are.
@safe package struct TensorTable {
  /// Types and shapes.
  package var infos: [TensorInfo]
  /// Where each slot's memory is; tensors first, then scratch memory.
  package private(set) var addresses: [UnsafeMutableRawPointer]
  /// How many rows there are, those of scratch memory too.
  package var slotCount: Int { unsafe addresses.count }
  /// How many bytes lie at each tensor's address; 0 for a tensor that has no memory yet.
  package private(set) var byteCounts: [Int]
  /// Whether each tensor's elements are there: constants, and in mid-run all that has been computed.
  private var isKnown: [Bool]

  /// What stands for memory that has no place yet.
  private static let placeholder = Arena(byteCount: 0)

  /// A table of tensors, of which some have their elements already.
  package init(_ infos: [TensorInfo], known: [UnsafeRawBufferPointer?]) {
    self.infos = infos
    unsafe addresses = unsafe known.map {
      unsafe UnsafeMutableRawPointer(mutating: $0?.baseAddress) ?? TensorTable.placeholder.base
    }
    byteCounts = unsafe known.map { unsafe $0?.count ?? 0 }
    isKnown = unsafe known.map { unsafe $0 != nil }
  }

  /// The elements of a tensor, if they are known.
  package func known(_ tensor: Int) -> UnsafeRawBufferPointer? {
    unsafe isKnown[tensor] ? memory(of: tensor) : nil
  }

  /// The memory of a tensor.
  package func memory(of tensor: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: addresses[tensor], count: byteCounts[tensor])
  }

  /// Gives a tensor its memory.
  package mutating func place(
    _ tensor: Int, at address: UnsafeMutableRawPointer, byteCount: Int
  ) {
    unsafe addresses[tensor] = address
    byteCounts[tensor] = byteCount
  }

  /// Notes that the elements of a tensor are there.
  package mutating func setKnown(_ tensor: Int) { isKnown[tensor] = true }

  /// Adds a row for scratch memory.
  package mutating func addScratch(at address: UnsafeMutableRawPointer? = nil) {
    unsafe addresses.append(address ?? TensorTable.placeholder.base)
  }

  /// Gives a row for scratch memory its address.
  package mutating func placeScratch(_ slot: Int, at address: UnsafeMutableRawPointer) {
    unsafe addresses[slot] = address
  }

  /// Takes off the last rows for scratch memory.
  package mutating func removeScratch(_ count: Int) {
    unsafe addresses.removeLast(count)
  }
}
