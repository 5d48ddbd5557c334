//===--- ModelMetadata+Writing.swift - metadata as a FlatBuffer -----------===//
//
// The tables of the metadata schema, with the fields that `ModelMetadata+Reading.swift` reads.
//
// Contract  Reading the written metadata returns equal metadata, except that contents and process
//           units of unknown kinds are omitted.
//===----------------------------------------------------------------------===//

extension ModelMetadata {
  /// The metadata as a separate FlatBuffer.
  var flatBuffer: [UInt8] {
    let root: [Int: FlatField?] = [
      0: .text(name), 1: .text(description), 2: .text(version),
      3: .list(subgraphs.map { $0.fields }), 4: .text(author), 5: .text(license),
      6: .list(associatedFiles.map { $0.fields }), 7: .text(minimumParserVersion),
    ]
    return FlatBufferWriter(.fields(root), identifier: ModelMetadata.identifier).bytes
  }

  /// The four characters that name the format.
  private static let identifier = "M001"
}

extension FlatNode {
  /// A table of the fields that are not `nil`.
  fileprivate static func fields(_ fields: [Int: FlatField?]) -> FlatNode {
    .table(fields.compactMapValues { $0 })
  }
}

extension FlatField {
  fileprivate static func text(_ text: String) -> FlatField? {
    text.isEmpty ? nil : .string(text)
  }

  fileprivate static func list(_ tables: [[Int: FlatField?]]) -> FlatField? {
    tables.isEmpty ? nil : .node(.nodes(tables.map { .fields($0) }))
  }

  fileprivate static func list(_ texts: [String]) -> FlatField? {
    texts.isEmpty ? nil : .node(.nodes(texts.map { .string($0) }))
  }

  fileprivate static func list(_ numbers: [Float]) -> FlatField? {
    numbers.isEmpty ? nil : .floats(numbers)
  }
}

extension SubgraphMetadata {
  fileprivate var fields: [Int: FlatField?] {
    [
      0: .text(name), 1: .text(description), 2: .list(inputs.map { $0.fields }),
      3: .list(outputs.map { $0.fields }), 4: .list(associatedFiles.map { $0.fields }),
      5: .list(inputProcessUnits.compactMap { $0.fields }),
      6: .list(outputProcessUnits.compactMap { $0.fields }),
      7: .list(inputGroups.map { $0.fields }),
      8: .list(outputGroups.map { $0.fields }),
      9: .list(customMetadata.map { [0: .text($0.name), 1: .bytes($0.data)] }),
    ]
  }
}

extension TensorGroup {
  fileprivate var fields: [Int: FlatField?] { [0: .text(name), 1: .list(tensorNames)] }
}

extension TensorMetadata {
  fileprivate var fields: [Int: FlatField?] {
    let hasStatistics = !maxima.isEmpty || !minima.isEmpty
    return [
      0: .text(name), 1: .text(description), 2: .list(dimensionNames), 3: contentField,
      4: .list(processUnits.compactMap { $0.fields }),
      5: hasStatistics ? .node(.fields([0: .list(maxima), 1: .list(minima)])) : nil,
      6: .list(associatedFiles.map { $0.fields }),
    ]
  }

  private var contentField: FlatField? {
    let axes = contentAxes.map { axes -> FlatField in
      .table([
        0: .int32(Int32(clamping: axes.first ?? 0)), 1: .int32(Int32(clamping: axes.last ?? 0)),
      ])
    }
    guard let (tag, table) = content?.union else { return axes.map { .table([2: $0]) } }
    return .node(.fields([0: .uint8(tag), 1: .node(table), 2: axes]))
  }
}

extension TensorContent {
  /// The member of the schema's union, or `nil` for an unknown kind.
  fileprivate var union: (tag: UInt8, table: FlatNode)? {
    switch self {
    case .feature: return (1, .table([:]))
    case .image(let colorSpace, let width, let height):
      var fields: [Int: FlatField] = [0: .uint8(colorSpace.rawValue)]
      if let width, let height {
        fields[1] = .table([0: .number(width), 1: .number(height)])
      }
      return (2, .table(fields))
    case .boundingBox(let layout, let coordinates, let order):
      return (
        3,
        .table([
          0: .int32s(order.map { Int32(truncatingIfNeeded: $0) }), 1: .uint8(layout.rawValue),
          2: .uint8(coordinates.rawValue),
        ])
      )
    case .audio(let sampleRate, let channelCount):
      return (4, .table([0: .number(sampleRate), 1: .number(channelCount)]))
    case .other: return nil
    }
  }
}

extension FlatField {
  /// An unsigned number of 32 bits.
  fileprivate static func number(_ value: Int) -> FlatField {
    .int32(Int32(bitPattern: UInt32(clamping: value)))
  }
}

extension ProcessUnit {
  /// A table with the member of the schema's union, or `nil` for an unknown kind.
  fileprivate var fields: [Int: FlatField?]? {
    let (tag, fields): (UInt8, [Int: FlatField?])
    switch self {
    case .normalization(let options):
      (tag, fields) = (
        1, [0: .floats(options.means), 1: .floats(options.standardDeviations)]
      )
    case .scoreCalibration(let options):
      (tag, fields) = (
        2, [0: .uint8(options.transformation.rawValue), 1: .float(options.defaultScore)]
      )
    case .scoreThreshold(let threshold): (tag, fields) = (3, [0: .float(threshold)])
    case .bertTokenizer(let vocabularies):
      (tag, fields) = (4, [0: .list(vocabularies.map { $0.fields })])
    case .sentencePieceTokenizer(let models, let vocabularies):
      (tag, fields) = (
        5, [0: .list(models.map { $0.fields }), 1: .list(vocabularies.map { $0.fields })]
      )
    case .regexTokenizer(let delimiter, let vocabularies):
      (tag, fields) = (6, [0: .text(delimiter), 1: .list(vocabularies.map { $0.fields })])
    case .other: return nil
    }
    return [0: .uint8(tag), 1: .node(.fields(fields))]
  }
}

extension AssociatedFile {
  fileprivate var fields: [Int: FlatField?] {
    [
      0: .text(name), 1: .text(description), 2: .uint8(type.rawValue), 3: .text(locale),
      4: .text(version),
    ]
  }
}
