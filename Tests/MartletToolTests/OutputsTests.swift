import Foundation
import MartletCommandLine
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletTool

/// Every way to write a file, onto every kind of input.
@Suite struct OutputsTests {
  let folder = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path)
  let image = Fixtures.folder("Scenes").path + "/fruit.jpg"
  let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path
  let detector = Fixtures.folder("Models/detector_of_quarters.tflite").path

  init() throws { try Files.makeFolder(folder / "out") }

  private func removeFolder() { try? FileManager.default.removeItem(atPath: "\(folder)") }

  /// What a file at the place of an output is for the run.
  enum Role: CaseIterable {
    case operand, hardLink, symbolicLink, linkedFolder, missing
    case listed, list, model, labels, detector
  }

  /// The output options of commands for images, the name that they give the file of `a.png`, and
  /// the name beside an existing one; `nil` for options with one file.
  static let writers: [(words: [String], name: String, other: String?)] = [
    (["detect", "--annotate"], "a.png", "a-2.png"),
    (["detect", "--save-crops"], "a-1.png", "a-1-2.png"),
    (["detect", "--report"], "a.png", nil),
    (["detect", "--output"], "a.png", nil),
    (["detect", "--format", "coco", "--output"], "a.png", nil),
    (["detect", "--resume"], "a.png", nil),
    (["detect", "--annotate"], "b.png", nil),
    (["faces", "--annotate"], "a.png", "a-2.png"),
    (["faces", "--report"], "a.png", nil),
    (["decode", "--output"], "FLAT.ppm", "FLAT-2.ppm"),
  ]

  /// Puts an input at `target` and returns the words that name it, with an image to process.
  private func prepare(_ role: Role, at target: FilePath) throws -> [String] {
    let source = "\(folder)/a.png"
    try Files.write(try Files.read(image), to: source)
    switch role {
    case .operand:
      try Files.write(try Files.read(image), to: target)
      return [source, "\(target)"]
    case .hardLink:
      #expect(link(source, "\(target)") == 0)
      return [source]
    case .symbolicLink:
      #expect(symlink(source, "\(target)") == 0)
      return [source]
    case .linkedFolder:
      try Files.write(try Files.read(image), to: target)
      #expect(symlink("\(target.parent)", "\(folder)/link") == 0)
      return [source, "\(folder)/link/\(target.name)"]
    case .missing: return [source, "\(target)"]
    case .listed:
      try Files.write(try Files.read(image), to: target)
      try Files.write(Array("\(target)\n".utf8), to: folder / "list")
      return [source, "--files-from", "\(folder)/list"]
    case .list:
      try Files.write(Array("\(image)\n".utf8), to: target)
      return [source, "--files-from", "\(target)"]
    case .model:
      try Files.write(try Files.read(model), to: target)
      return [source, "--model", "\(target)"]
    case .labels:
      try Files.write(Array("a\nb\nc\nd\ne\nf\n".utf8), to: target)
      return [source, "--model", model, "--labels", "\(target)"]
    case .detector:
      try Files.write(try Files.read(detector), to: target)
      return [source, "--detector", "\(target)"]
    }
  }

  @Test(arguments: writers.indices, Role.allCases)
  func inputsAreNeverWritten(_ writer: Int, _ role: Role) throws {
    defer { removeFolder() }
    let (command, name, other) = OutputsTests.writers[writer]
    let ofNetworks: Set<Role> = [.model, .labels, .detector]
    guard command[0] == "detect" || !ofNetworks.contains(role) else { return }
    func named(_ name: String) -> FilePath {
      let flat = (folder / "a.png").flattened
      guard name.hasPrefix("FLAT") else { return folder / "out" / name }
      return folder / "out" / (flat + String(name.dropFirst(4)))
    }
    let target = named(name)
    let words = try prepare(role, at: target)
    let before = try? Files.read(target)
    let source = try Files.read(folder / "a.png")
    let status = MartletTool.run(
      command + ["\(other == nil ? target : folder / "out")"] + words)
    #expect((try? Files.read(target)) == before)
    #expect(try Files.read(folder / "a.png") == source)
    if let other {
      #expect(status == (role == .missing ? 1 : 0))
      #expect(Files.kind(named(other)) == .regular)
    } else {
      #expect(status != 0)
    }
    #expect(try Files.list(folder / "out").allSatisfy { !$0.hasSuffix(".partial") })
  }

  // MARK: - Other commands

  @Test(arguments: ["--output", "--weights"])
  func compileKeepsItsModel(_ option: String) throws {
    defer { removeFolder() }
    let copy = folder / "m.swift"
    try Files.write(try Files.read(model), to: copy)
    let (a, b) = option == "--output" ? (copy, folder / "w") : (folder / "x.swift", copy)
    let words = ["--output", "\(a)", "--weights", "\(b)", "--name", "X"]
    #expect(MartletTool.run(["compile", "\(copy)"] + words) == 1)
    #expect(try Files.read(copy) == Files.read(model))
    #expect(try Files.list(folder) == ["m.swift", "out"])
  }

  @Test func compileRefusesOneFileForSourceAndWeights() throws {
    defer { removeFolder() }
    let path = folder / "x.swift"
    for other in [path, folder / "out/../x.swift"] {
      let words = ["compile", model, "--output", "\(path)", "--weights", "\(other)", "--name", "X"]
      #expect(MartletTool.run(words) == 1)
      #expect(try Files.list(folder) == ["out"])
    }
  }

  /// The source can't be written, or the weights.
  @Test(arguments: [("none/x.swift", "w"), ("x.swift", "none/w"), ("x.swift", "out"), ("out", "w")])
  func compileWritesAllFilesOrNone(_ output: FilePath, _ weights: FilePath) throws {
    defer { removeFolder() }
    let words = [
      "--output", "\(folder / output)", "--weights", "\(folder / weights)", "--name", "X",
    ]
    #expect(MartletTool.run(["compile", model] + words) == 1)
    #expect(try Files.list(folder) == ["out"] && Files.list(folder / "out").isEmpty)
  }

  @Test(arguments: ["model", "labels", "names"])
  func annotateModelKeepsItsInputs(_ name: String) throws {
    defer { removeFolder() }
    let labels = Array("a\nb\nc\nd\ne\nf\n".utf8)
    try Files.write(try Files.read(model), to: folder / "model")
    for name in ["labels", "names"] { try Files.write(labels, to: folder / name) }
    let before = try Files.read(folder / name)
    let words = ["--labels", "\(folder)/labels", "--display-names", "en=\(folder)/names"]
    #expect(
      MartletTool.run(
        ["annotate-model", "\(folder)/model", "--output", "\(folder)/\(name)"] + words) == 1)
    #expect(try Files.read(folder / name) == before)
  }

  @Test(arguments: ["model", "input"])
  func runKeepsItsInputs(_ kind: String) throws {
    defer { removeFolder() }
    let target = folder / "out/0.bin"
    let bytes = kind == "model" ? try Files.read(model) : [UInt8](repeating: 7, count: 76800)
    try Files.write(bytes, to: target)
    let words =
      kind == "model" ? ["run", "\(target)"] : ["run", model, "--input", "\(target)"]
    #expect(MartletTool.run(words + ["--output", "\(folder)/out"]) == 1)
    #expect(try Files.read(target) == bytes)
  }

  @Test(arguments: ["manifest.json", "x.tflite", "layers/x.json"])
  func conformanceKeepsItsFiles(_ name: String) throws {
    defer { removeFolder() }
    try Files.makeFolder(folder / "layers")
    for name in ["x.tflite", "layers/x.json"] { try Files.write([1], to: folder / name) }
    try Files.write(Array(#"{"cases":[]}"#.utf8), to: folder / "manifest.json")
    let before = try Files.read(folder / name)
    #expect(MartletTool.run(["conformance", "\(folder)", "--json", "\(folder / name)"]) == 1)
    #expect(try Files.read(folder / name) == before)
    #expect(MartletTool.run(["conformance", "\(folder)", "--json", "\(folder)/new"]) == 0)
  }

  @Test(arguments: [Role.operand, .hardLink, .symbolicLink, .model, .labels, .detector])
  func trackKeepsItsInputs(_ role: Role) throws {
    defer { removeFolder() }
    let (frames, target) = (folder / "frames", folder / "frames/v.y4m")
    try Files.makeFolder(frames)
    try Files.write(try Files.read(image), to: frames / "0.jpg")
    var words = ["track", "\(frames)"]
    switch role {
    case .hardLink: #expect(link("\(frames)/0.jpg", "\(target)") == 0)
    case .symbolicLink: #expect(symlink("\(frames)/0.jpg", "\(target)") == 0)
    case .operand:
      #expect(
        MartletTool.run(["track", "\(frames)", "--annotate", "\(target)"]) == 0)
      words = ["track", "\(target)"]
    default:
      words += try prepare(role, at: target).dropFirst()
    }
    let before = try Files.read(target)
    #expect(MartletTool.run(words + ["--annotate", "\(target)"]) == 1)
    #expect(try Files.read(target) == before)
    // In a folder, frames get other names.
    #expect(MartletTool.run(["track", "\(frames)", "--annotate", "\(frames)"]) == 0)
    #expect(Files.kind(frames / "0-2.png") == nil && Files.kind(frames / "0.jpg") == .regular)
  }

  // MARK: - Lists in pipes, standard input and output

  /// A list in a pipe, whose second line names a file that the first image's output would replace.
  @Test(arguments: ["--annotate", "--save-crops", "--output"])
  func laterPathOfAPipeIsNotReplaced(_ option: String) throws {
    defer { removeFolder() }
    let (first, out) = (folder / "a.png", folder / "out")
    try Files.write(try Files.read(image), to: first)
    let name: FilePath =
      switch option {
      case "--annotate": "a.png"
      case "--save-crops": "a-1.png"
      default: first.flattened + ".ppm"
      }
    let second = out / name
    let bytes = try Files.read(Fixtures.folder("Scenes").path + "/room.jpg")
    try Files.write(bytes, to: second)
    #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
    let list = Array("\(first)\n\(second)\n".utf8)
    let pipe = "\(folder)/pipe"
    Thread.detachNewThread { try? FileHandle(forWritingAtPath: pipe)?.write(contentsOf: list) }
    let command = option == "--output" ? "decode" : "detect"
    #expect(MartletTool.run([command, "--files-from", pipe, option, "\(out)"]) == 0)
    #expect(try Files.read(second) == bytes)
    #expect(try Files.list(out).count > 1)
  }

  /// A page replaces an older one, unless a later line of the pipe names it.
  @Test(arguments: [true, false]) func pageIsNamedWhenThePipeHasEnded(_ isInput: Bool) throws {
    defer { removeFolder() }
    let page = folder / "out/page.png"
    let bytes = try Files.read(image)
    try Files.write(bytes, to: page)
    let pipe = "\(folder)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let list = Array("\(image)\n\(isInput ? "\(page)\n" : "")".utf8)
    Thread.detachNewThread { try? FileHandle(forWritingAtPath: pipe)?.write(contentsOf: list) }
    let status = MartletTool.run(["detect", "--files-from", pipe, "--report", "\(page)"])
    #expect(status == (isInput ? 1 : 0))
    #expect(try (Files.read(page) == bytes) == isInput)
    #expect(try Files.list(folder / "out") == ["page.png"])
  }

  /// An image that this run wrote is no input.
  @Test func ownOutputIsNotRead() throws {
    defer { removeFolder() }
    let pipe = "\(folder)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let list = Array("\(image)\n\(folder)/out/fruit.jpg\n".utf8)
    Thread.detachNewThread { try? FileHandle(forWritingAtPath: pipe)?.write(contentsOf: list) }
    let lines = folder / "lines"
    let words = ["--annotate", "\(folder)/out", "--resume", "\(lines)"]
    #expect(MartletTool.run(["detect", "--files-from", pipe] + words) == 1)
    let text = String(decoding: try Files.read(lines), as: UTF8.self)
    #expect(text.contains("is an output of this run"))
    #expect(try Files.list(folder / "out") == ["fruit.jpg"])
  }

  /// Standard input or output is a file, and an output option names it.
  @Test(arguments: [0, 1, 2]) func filesOfStreamsAreKept(_ stream: Int) async throws {
    defer { removeFolder() }
    let path = "\(folder)/v.y4m"
    try Files.write(try Files.read(image), to: "\(folder)/0.jpg")
    #expect(MartletTool.run(["track", "\(folder)", "--annotate", path]) == 0)
    let before = try Files.read(path)
    await #expect(processExitsWith: .exitCode(1)) {
      [path = path as String, stream = stream as Int] in
      let descriptor = open(path, O_RDWR | O_APPEND)
      #expect(dup2(descriptor, Int32(stream)) >= 0)
      let source = stream == 0 ? "-" : Fixtures.folder("Scenes").path
      exit(MartletTool.run(["track", source, "--annotate", path, "--format", "csv"]))
    }
    #expect(try Files.read(path).starts(with: before))
  }

  // MARK: - Files

  @Test func filesGetTheirNamesWhenTheyAreWhole() throws {
    defer { removeFolder() }
    let path = folder / "file"
    let outputs = Outputs()
    do {
      let file = try outputs.file(path)
      try file.append([1, 2])
      #expect(Files.kind(path) == nil)
      #expect(throws: FileError.isOutput(path: path)) { try outputs.file(path) }
      try file.finish()
    }
    #expect(try Files.read(path) == [1, 2])
    #expect(outputs.hasWritten(path) && !outputs.isFree(path))
    do { try Outputs().file(path).append([3]) }
    #expect(try Files.read(path) == [1, 2])
    #expect(try Files.list(folder) == ["file", "out"])
  }

  @Test func outputsFollowLinksAndKeepThem() throws {
    defer { removeFolder() }
    #expect(symlink("out/target", "\(folder)/link") == 0)
    #expect(symlink("link", "\(folder)/second") == 0)
    for byte in [UInt8(1), 2] {
      try Files.write([byte], to: folder / "second")
      #expect(try Files.read(folder / "out/target") == [byte])
    }
    #expect(Files.kindOfItem(folder / "link") == .symbolicLink)
    #expect(symlink("loop", "\(folder)/loop") == 0)
    #expect(throws: FileError.unwritable(path: folder / "loop", SystemError(ELOOP))) {
      try Files.write([1], to: folder / "loop")
    }
    let outputs = Outputs()
    try outputs.write([1], to: folder / "link")
    #expect(throws: FileError.isOutput(path: folder / "out/target")) {
      try outputs.write([1], to: folder / "out/target")
    }
  }

  @Test func pipesAndDevicesAreWrittenDirectly() throws {
    defer { removeFolder() }
    try Files.write([1], to: FilePath("/dev/null"))
    #expect(Files.kindOfItem("/dev/null") == .special)
    #expect(throws: FileError.unwritable(path: "/dev/full", SystemError(ENOSPC))) {
      try Files.write([1], to: FilePath("/dev/full"))
    }
    let pipe = Pipe()
    try Files.write([7], to: FilePath("/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)"))
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data([7]))
  }

  @Test func newFilesHaveTheModeOfTheUmask() throws {
    defer { removeFolder() }
    try Files.write([1], to: folder / "new")
    let mask = umask(0)
    umask(mask)
    var status = stat()
    #expect(stat("\(folder)/new", &status) == 0 && status.st_mode & 0o777 == 0o666 & ~mask)
  }
}
