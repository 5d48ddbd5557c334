//===--- CompiledModel.swift - a model as Swift source --------------------===//
//
// Writes a type with one call per layer, and a blob with the layers' records, which can be part of
// the source. The code needs the module `MartletCompiled` and no memory but its arena.
//
// Contract  The interpreter prepares the model first: what it refuses is refused with its reason. The
//           same model gives the same text and bytes. The results are those of the interpreter, bit
//           for bit; with floats, those of its reference kernels, as long as all are finite, up to the sign of zero.
// Cost      Time and memory in proportion to the size of the file, and to `ArenaPlan`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletInference
import MartletModel

/// The source and the weights of a compiled model.
package struct CompiledModel {
  /// The Swift source.
  package let source: String
  /// The records of all layers.
  package let weights: [UInt8]
  /// The bytes of memory that a run needs.
  package let arenaByteCount: Int
  let lowering: Lowering
  /// The places of values in the arena.
  let offsets: [Int: Int]

  /// Compiles the first subgraph of `model` to a type called `name`.
  package init(
    _ model: Model, name: String, for target: CompileTarget = .portable,
    weights place: WeightsPlace = .file
  ) throws(CompileError) {
    let lowering = try Lowering(model, try CompiledModel.prepared(model), for: target)
    let plan = CompiledModel.plan(lowering)
    self.lowering = lowering
    offsets = plan.offsets
    weights = lowering.blob.bytes
    arenaByteCount = plan.byteCount
    source = SourceWriter(
      lowering, offsets: plan.offsets, arenaByteCount: plan.byteCount,
      labels: try CompiledModel.labels(model), weights: place
    ).source(of: name)
  }

  /// Prepares the model for the interpreter, which checks it.
  private static func prepared(_ model: Model) throws(CompileError) -> PreparedModel {
    guard !model.subgraphs.isEmpty else { throw .empty }
    // The reference kernels pack no weights. Constants that take longer, a quarter of a second, to
    // compute are not those of operators that can be compiled.
    var options = Interpreter.Options(kernels: .reference)
    options.foldingLimit = 1 << 26
    do throws(InferenceError) {
      return try PreparedModel(model: model, options: options)
    } catch {
      throw .interpreter(error)
    }
  }

  /// The labels of each output, or `nil`.
  private static func labels(_ model: Model) throws(CompileError) -> [[String]?] {
    var labels: [[String]?] = []
    var byteCount = 0
    do throws(MetadataError) {
      guard let metadata = try model.readMetadata(), let graph = metadata.subgraphs.first else {
        return []
      }
      for tensor in graph.outputs.prefix(model.subgraphs[0].outputs.count) {
        labels.append(try metadata.labels(of: tensor)?.names)
        byteCount += labels[labels.count - 1]?.reduce(0) { $0 + $1.utf8.count + 1 } ?? 0
        guard byteCount <= ModelLimits.textBytes else { break }
      }
    } catch {
      throw .metadata(error)
    }
    guard byteCount <= ModelLimits.textBytes else {
      throw .tooManyLabels(limit: ModelLimits.textBytes)
    }
    return labels
  }

  /// Places the values that need memory of the arena.
  private static func plan(
    _ lowering: Lowering
  ) -> (offsets: [Int: Int], byteCount: Int) {
    var first: [Int: Int] = [:]
    var last: [Int: Int] = [:]
    for (index, layer) in lowering.layers.enumerated() {
      for value in layer.inputs + [layer.output] {
        if first[value] == nil { first[value] = index }
        last[value] = index
      }
    }
    let placed = lowering.values.indices.filter { lowering.values[$0].place == .arena }
    let position = Dictionary(uniqueKeysWithValues: zip(placed, placed.indices))
    var values = placed.map { value in
      // Words of four bytes, which some kernels read.
      let count = (lowering.values[value].byteCount + 3) / 4 * 4
      let start = lowering.values[value].isState ? 0 : first[value] ?? 0
      let end = lowering.values[value].isState ? lowering.layers.count : last[value] ?? start
      return ArenaValue(byteCount: count, lifetime: start...end)
    }
    for (index, layer) in lowering.layers.enumerated() {
      guard let output = position[layer.output] else { continue }
      for (input, lead) in zip(layer.inputs, layer.leads) {
        guard let lead, let input = position[input], values[input].lifetime.upperBound == index
        else { continue }
        values[output].leads[input] = (lead + 3) / 4 * 4
      }
    }
    let plan = ArenaPlan(values)
    return (
      Dictionary(uniqueKeysWithValues: zip(placed, plan.offsets)), plan.byteCount
    )
  }

  /// The number of calls of kernels.
  package var layerCount: Int { lowering.layers.count }

  /// What the model keeps between runs.
  var states: [Lowering.State] { lowering.states(at: offsets) }

  /// Whether `name` can be the name of a type in generated code. Names that the code uses cannot.
  package static func isTypeName(_ name: String) -> Bool {
    SourceText.isTypeName(name)
  }
}
