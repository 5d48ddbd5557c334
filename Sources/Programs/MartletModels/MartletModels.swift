//===--- MartletModels.swift - the build plugin ---------------------------===//
//
// Compiles each `.tflite` file of a target to a Swift type with the name of the file. With
// `MARTLET_DSP` in the environment the types are for Arm's DSP extension.
//
// Contract  Writes into the plugin's folder only. A file whose type has no valid name, or the name
//           of another file's type, is an error of the build.
//===----------------------------------------------------------------------===//

import Foundation
import PackagePlugin

@main
struct MartletModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let files = target.sourceModule?.sourceFiles.map(\.url) ?? []
    let compiler = try context.tool(named: "MartletCompile").url
    let isDSP = ProcessInfo.processInfo.environment["MARTLET_DSP"] != nil
    // Lowercase, because file systems may not distinguish case.
    var namesakes: [String: String] = [:]
    var commands: [Command] = []
    for model in files.filter({ $0.pathExtension == "tflite" }).sorted(by: { $0.path < $1.path }) {
      let path = model.path(percentEncoded: false)
      guard let name = TypeName.of(file: model.deletingPathExtension().lastPathComponent) else {
        Diagnostics.error(
          """
          \(path): no Swift type can have this file's name; rename it to ASCII letters, digits and \
          underscores, a letter first
          """)
        continue
      }
      if let other = namesakes.updateValue(path, forKey: name.lowercased()) {
        Diagnostics.error(
          "\(path): its type would be called \(name), like that of \(other); rename one of them")
        continue
      }
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name).tflite.swift")
      commands.append(
        .buildCommand(
          displayName: "Compiling \(model.lastPathComponent) to the type \(name)",
          executable: compiler,
          arguments: [
            path, "--output", output.path(percentEncoded: false), "--name", name,
            "--weights", "inline", "--target", isDSP ? "armv7em-dsp" : "portable",
          ],
          inputFiles: [model], outputFiles: [output]))
    }
    return commands
  }
}
