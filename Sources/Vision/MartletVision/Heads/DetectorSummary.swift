//===--- DetectorSummary.swift - what is recognized of a detector ---------===//

/// What a file is as a detector, in words.
package enum DetectorSummary {
  /// The heads that the file leaves, one a line, with the names of the classes; or why it is refused
  /// as a detector. `nil` if its outputs resemble no detector.
  package static func text(of model: Model) -> String? {
    do throws(VisionError) {
      let evidence = try HeadEvidence(model)
      let readings = try evidence.readings()
      var lines = readings.map { $0.description }
      if readings.count > 1 {
        lines.append("the values of a run decide, or the option detectorHead")
      }
      if let export = evidence.export {
        let task = export.task.isEmpty ? "" : "task \(export.task), "
        lines.append("\(export.file): \(task)\(export.names.count) names")
      }
      return lines.joined(separator: "\n")
    } catch {
      switch error {
      case .unsuitable(.anchors), .unsuitable(.accelerator), .unsuitable(.scoreScale):
        return "\(error)"
      default: return nil
      }
    }
  }
}
