//===--- TFLiteSupportCode.swift - TFLite Support's error codes -----------===//
//
// ML Kit's runtime reports these codes of TensorFlow Lite Support for custom models.
//===----------------------------------------------------------------------===//

/// TensorFlow Lite Support's error codes, as far as they are reported.
public enum TFLiteSupportCode: Int, Sendable, CaseIterable {
  case error = 1
  case invalidArgument = 2
  case invalidFlatBuffer = 3
  case unsupportedBuiltinOperator = 4
  case unsupportedCustomOperator = 5

  case fileNotFound = 100
  case filePermissionDenied = 101
  case fileRead = 102

  case metadataSchemaVersion = 200
  case associatedFileNotFound = 201
  case associatedFileZip = 202
  /// Metadata and model contradict each other.
  case metadataInconsistency = 203
  case metadataProcessUnits = 204
  /// The lists of labels or calibrations differ in length.
  case metadataLabelCount = 205
  case metadataCalibration = 206
  /// A model with float input has no normalization parameters.
  case metadataMissingNormalization = 208
  case metadataContentProperties = 209

  case inputCount = 300
  case inputDimensions = 301
  case inputType = 302

  case outputDimensions = 400
  case outputType = 401
  case outputCount = 403

  case imageProcessing = 500
  case imageProcessingInvalidArgument = 501
}
