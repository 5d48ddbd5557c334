//===--- ModelConfiguration.swift - limits of a model's runs --------------===//
//
// In JSON: {"maxMemory":64,"timeout":2}.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletInference

/// The limits of a model that runs on raw tensors.
package struct ModelConfiguration: JSONConfiguration {
  /// The most memory of tensors, in bytes. Default: 1 GiB.
  package var memoryLimit = Interpreter.Options.defaultMemoryLimit
  /// The most seconds for preparing the model and for each run. Default: `nil`, no limit.
  package var timeout: Double?

  /// The defaults.
  package init() {}

  package static let members: [ConfigurationMember<ModelConfiguration>] = [
    .mebibytes("maxMemory", { $0.memoryLimit }) { $0.memoryLimit = $1 },
    .seconds("timeout", { $0.timeout }) { $0.timeout = $1 },
  ]

  /// Reads the configuration from a JSON object.
  package init(_ reader: JSONReader) throws(JSONError) {
    self.init()
    try read(reader)
  }
}
