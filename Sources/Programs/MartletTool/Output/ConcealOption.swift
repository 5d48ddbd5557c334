//===--- ConcealOption.swift - the option --conceal -----------------------===//

import MartletCommandLine
import MartletVision

/// The style and the place of copies in which the results are unrecognizable.
struct ConcealOption {
  private static let name = "--conceal"

  /// The option; `path` names what it writes, which `place` explains.
  static func specification(_ path: String, _ place: String) -> OptionSpecification {
    let styles = Concealment.allCases.map(\.rawValue).joined(separator: "|")
    return OptionSpecification(
      name, "\(styles) \(path)", help: "Save a copy with the results made unrecognizable: \(place)")
  }

  let style: Concealment
  let path: FilePath

  /// Returns nil if the option is absent.
  init?(_ arguments: Arguments) throws(UsageError) {
    guard
      let style = try arguments.choice(
        Self.name, of: ["blur": Concealment.blur, "pixels": .pixels, "fill": .fill]),
      let path = arguments.path(Self.name)
    else { return nil }
    (self.style, self.path) = (style, path)
  }

  /// Where the copies of still images are written.
  func paths(isSingle: Bool, of outputs: Outputs) throws(UsageError) -> OutputPaths {
    try OutputPaths(Self.name, path, isSingle: isSingle, of: outputs)
  }

  /// Throws if frames of a video cannot be written in the requested format.
  func checkVideo(isPrinting: Bool) throws(UsageError) {
    try AnnotatedVideo.check(path, of: Self.name, isPrinting: isPrinting)
  }
}
