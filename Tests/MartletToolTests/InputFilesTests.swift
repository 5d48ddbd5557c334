import Foundation
import MartletCodecs
import MartletCommandLine
import MartletModel
import MartletTestSupport
import Testing

@testable import MartletTool

/// Files larger than memory, endless devices, and pipes.
@Suite(.timeLimit(.minutes(5))) struct InputFilesTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
  let image = Fixtures.folder("Scenes").path + "/room.jpg"
  let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path

  func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  /// A sparse file of 12 GB.
  func sparseFile() throws -> String {
    try Files.makeFolder(folder)
    let path = folder + "/sparse.jpg"
    try Files.write([], to: path)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 12_000_000_000)
    try file.close()
    return path
  }

  /// All commands that read a file, with `path` in each file argument.
  func commands(_ path: String) -> [[String]] {
    [
      ["detect", path], ["decode", path, "--output", folder], ["faces", path], ["inspect", path],
      ["run", path], ["classify", image, "--model", path],
      ["classify", image, "--model", model, "--labels", path],
      ["detect", image, "--detector", path], ["detect", "--files-from", path],
      ["run", model, "--input", path], ["annotate-model", path, "--output", folder + "/out"],
      ["annotate-model", model, "--labels", path, "--output", folder + "/out"],
      ["publish-model", path, "--output", folder],
    ]
  }

  @Test func fileLargerThanMemoryIsAnError() throws {
    defer { removeFolder() }
    for words in commands(try sparseFile()) {
      #expect(MartletTool.run(words) == 1, "\(words)")
    }
  }

  @Test func endlessDeviceIsAnError() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    for words in commands("/dev/zero") { #expect(MartletTool.run(words) == 1, "\(words)") }
  }

  @Test func rejectsEndlessDeviceAsImage() {
    let zeros = [UInt8](repeating: 0, count: 16)
    #expect(throws: ImageFileError.unknownFormat(firstBytes: zeros)) {
      _ = try ImageFile(readingFrom: "/dev/zero", limits: ImageLimits())
    }
  }

  @Test func rejectsEndlessDeviceAsModelOrLabels() {
    #expect(throws: ModelError.self) { _ = try Files.model("/dev/zero") }
    #expect(throws: FailedFile.self) { _ = try Files.labels("/dev/zero") }
    #expect(throws: FileError.tooLarge(path: "/dev/zero", limit: 5)) {
      _ = try Files.read("/dev/zero", limit: 5)
    }
  }

  /// A pipe whose writer sends one byte, and the rest later.
  @Test func readsPipeThatDeliversOneByteFirst() throws {
    func read<Result>(
      _ path: String, _ body: (FilePath) throws -> Result
    ) throws -> Result {
      let bytes = try Files.read(path)
      let pipe = Pipe()
      let writer = pipe.fileHandleForWriting
      writer.write(Data(bytes.prefix(1)))
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.05)
        writer.write(Data(bytes.dropFirst()))
        try? writer.close()
      }
      return try body(FilePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"))
    }
    let whole = try ImageFile(decoding: Files.read(image))
    let piped = try read(image) { try ImageFile(readingFrom: $0, limits: ImageLimits()) }
    #expect(piped.image == whole.image)
    #expect(try read(model) { try Array(Files.model($0)) } == Files.read(model))
  }
}
