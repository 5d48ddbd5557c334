//===--- AnchorMetadata.swift - anchors of MediaPipe's detectors ----------===//
//
// MediaPipe's Model Maker writes the anchors of a detector, and how its boxes are encoded, into the
// custom metadata `DETECTOR_METADATA` of the first subgraph.
//
// Contract  Anchors and scales are finite, and scales are not zero; other metadata throws.
// Source    MediaPipe, `object_detector_metadata_schema.fbs`, identifier V001.
//===----------------------------------------------------------------------===//

/// The anchors of a detector, and how its boxes and scores are encoded.
package struct AnchorMetadata: Sendable, Equatable {
  /// A box in units of the input's width and height.
  package struct Anchor: Sendable, Equatable {
    package let centerX, centerY, width, height: Float
  }

  package let anchors: [Anchor]
  /// What the differences of centers and the sizes are divided by.
  package let scaleX, scaleY, scaleWidth, scaleHeight: Float
  /// Whether sizes are logarithms.
  package let isExponential: Bool
  /// Whether scores are logits.
  package let isLogit: Bool

  /// The name of the custom metadata.
  private static let name = "DETECTOR_METADATA"
  /// The four characters that name the format: `V001`.
  private static let identifier: UInt32 = 0x3130_3056
}

extension ModelMetadata {
  /// The anchors of a detector; `nil` if the metadata has none.
  ///
  /// - Throws: `MetadataError` if they are damaged.
  package func readAnchors() throws(MetadataError) -> AnchorMetadata? {
    guard let data = subgraphs.first.flatMap(AnchorMetadata.data) else { return nil }
    return try AnchorMetadata(data)
  }
}

extension AnchorMetadata {
  fileprivate static func data(in subgraph: SubgraphMetadata) -> [UInt8]? {
    subgraph.customMetadata.first { $0.name == name }?.data
  }

  fileprivate init(_ data: [UInt8]) throws(MetadataError) {
    do throws(FlatBufferError) {
      let buffer = try FlatBuffer(
        FileBytes(data), in: 0..<data.count, limits: ModelLimits.flatBuffer)
      let root = try buffer.root(identifier: AnchorMetadata.identifier)
      let list = try root.table(1)?.table(0)?.tables(0) ?? []
      anchors = try list.map { table throws(FlatBufferError) in
        Anchor(
          centerX: try table.float(0), centerY: try table.float(1), width: try table.float(2),
          height: try table.float(3))
      }
      let decoding = try root.table(2)
      scaleX = try decoding?.float(6) ?? 1
      scaleY = try decoding?.float(7) ?? 1
      scaleWidth = try decoding?.float(8) ?? 1
      scaleHeight = try decoding?.float(9) ?? 1
      isExponential = try decoding?.bool(10) ?? false
      isLogit = try decoding?.bool(11) ?? false
    } catch { throw .flatBuffer(error) }
    for scale in [scaleX, scaleY, scaleWidth, scaleHeight] where !(scale.isFinite && scale != 0) {
      throw .anchors
    }
    for anchor in anchors {
      let sum = anchor.centerX + anchor.centerY + anchor.width + anchor.height
      guard sum.isFinite else { throw .anchors }
    }
  }
}
