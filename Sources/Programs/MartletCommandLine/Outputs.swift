//===--- Outputs.swift - the files that a run may write -------------------===//
//
// Contract  No input is written: no operand, no value of an option that names an input, none of the
//           files in a folder or a list, nor the files that are standard input, output or error;
//           under no other path either, through hard and symbolic links. An input that is missing
//           is not created. No file is written twice. A path through a symbolic link writes the
//           file that it leads to; the link stays. A file gets its name when it is whole.
// Cost      Some system calls a file; memory grows with the number of files, by tens of bytes each.
//===----------------------------------------------------------------------===//

import MartletCLibrary
import MartletSystem

/// Decides which files a run may write, and writes them.
package final class Outputs {
  private var inputs: Set<FileIdentity> = []
  /// The places of inputs that are missing.
  private var missing: Set<Place> = []
  /// The places of this run's files.
  private var claimed: Set<Place> = []
  /// The files that this run wrote.
  private var written: Set<FileIdentity> = []
  /// Whether existing files keep their names, and those with free names get others.
  package var keepsFiles = false

  /// The inputs are those at `paths` and standard input.
  package init(sparing paths: [FilePath] = []) {
    for stream in 0...2 {
      guard let file = OpenFile.plainIdentity(ofStream: Int32(stream)) else { continue }
      if stream == 0 { inputs.insert(file) } else { written.insert(file) }
    }
    for path in paths { spare(path) }
  }

  /// The inputs are the operands, the values of options that name inputs, and standard input.
  package convenience init(_ arguments: Arguments) { self.init(sparing: arguments.inputs) }

  /// Adds an input.
  package func spare(_ path: FilePath) {
    if let file = Files.identity(path) {
      inputs.insert(file)
    } else if path != .standardStream, let place = Destination(path).place {
      missing.insert(place)
    }
  }

  /// Whether this run wrote the file at `path`, or it is the file of standard output or error.
  package func hasWritten(_ path: FilePath) -> Bool {
    Files.identity(path).map(written.contains) ?? false
  }

  /// Whether a file can be written at `path` without replacing an input, a file of this run or, if
  /// they are kept, any file.
  package func isFree(_ path: FilePath) -> Bool {
    if keepsFiles, Files.kindOfItem(path) != nil { return false }
    let destination = Destination(path)
    return !isInput(destination) && !isClaimed(destination)
  }

  /// Whether bytes for `path` go to standard output.
  package static func isStandardOutput(_ path: FilePath) -> Bool {
    Destination(path).descriptor == 1
  }

  /// Starts to write a file at `path`, or to standard output if it is `-`.
  package func file(_ path: FilePath) throws(FileError) -> OutputFile {
    let destination = Destination(path)
    try claim(path, destination)
    return try OutputFile(path, destination, of: self)
  }

  /// Reserves `path` for a file of this run that is written in another way.
  package func claim(_ path: FilePath) throws(FileError) { try claim(path, Destination(path)) }

  /// Writes a file at `path`, or writes to standard output if it is `-`.
  package func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    let file = try file(path)
    try file.append(bytes)
    try file.finish()
  }

  private func claim(_ path: FilePath, _ destination: Destination) throws(FileError) {
    try check(path, destination)
    // Pipes, devices and descriptors may be written several times.
    guard destination.isFile else { return }
    if isClaimed(destination) { throw .isOutput(path: path) }
    if let place = destination.place { claimed.insert(place) }
  }

  /// Throws if the file is an input.
  fileprivate func check(_ path: FilePath, _ destination: Destination) throws(FileError) {
    if isInput(destination) { throw .isInput(path: path) }
  }

  private func isInput(_ destination: Destination) -> Bool {
    destination.file.map(inputs.contains) ?? false
      || destination.place.map(missing.contains) ?? false
  }

  private func isClaimed(_ destination: Destination) -> Bool {
    destination.file.map(written.contains) ?? false
      || destination.place.map(claimed.contains) ?? false
  }

  fileprivate func add(_ file: OpenFile) {
    if let file = file.plainIdentity { written.insert(file) }
  }
}

/// A name in a folder.
private struct Place: Hashable {
  let folder: FileIdentity
  let name: FilePath
}

/// Where the bytes of an output go.
struct Destination {
  /// The path behind symbolic links.
  let path: FilePath
  /// What is there; `nil` for nothing.
  let kind: FileKind?
  /// The descriptor that the path means: 1 for `-` and `/dev/stdout`.
  let descriptor: Int32?

  /// More links than a system follows.
  private static let linkLimit = 64

  init(_ path: FilePath) {
    descriptor = Destination.descriptor(of: path)
    var path = path
    var count = 0
    while count < Destination.linkLimit, let target = Files.linkTarget(path) {
      path = target.hasPrefix("/") ? target : path.parent / target
      count += 1
    }
    self.path = path
    kind = Files.kind(path)
  }

  /// Whether the output is a regular file with a name.
  fileprivate var isFile: Bool { descriptor == nil && (kind == nil || kind == .regular) }

  /// The file that is there now, or that is open as the descriptor.
  fileprivate var file: FileIdentity? {
    guard let descriptor else { return Files.identity(path) }
    return OpenFile.plainIdentity(ofStream: descriptor)
  }

  /// The place of the file; `nil` if the folder is missing.
  fileprivate var place: Place? {
    guard descriptor == nil else { return nil }
    return Files.identity(path.parent).map { Place(folder: $0, name: path.name) }
  }

  private static func descriptor(of path: FilePath) -> Int32? {
    switch path {
    case .standardStream, "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
      let folders = ["/dev/fd/", "/proc/self/fd/"]
      guard let folder = folders.first(where: path.hasPrefix) else { return nil }
      return Int32(path.description.dropFirst(folder.count))
    }
  }
}

/// A file that is being written: `append(_:)`, then `finish()`. Without that, it leaves no file.
/// Pipes, devices and descriptors are written directly.
package final class OutputFile {
  /// The path as given.
  package let path: FilePath
  private let destination: Destination
  private let outputs: Outputs?
  private let temporary: FilePath?
  private let file: OpenFile

  /// - Parameter outputs: The run's files; `nil` if the path is reserved already.
  init(_ path: FilePath, _ destination: Destination, of outputs: Outputs?) throws(FileError) {
    self.path = path
    self.destination = destination
    self.outputs = outputs
    if let descriptor = destination.descriptor {
      let name = path == .standardStream ? "standard output" : path
      file = try OpenFile(duplicating: descriptor, named: name)
      temporary = nil
    } else if destination.kind == .special {
      file = try OpenFile(writing: destination.path, O_TRUNC, named: path)
      temporary = nil
    } else {
      try OutputFile.checkReplacing(destination, path)
      (temporary, file) = try Temporaries.create(in: destination.path.parent, for: path)
    }
  }

  /// A file that replaces the one at `path`.
  package convenience init(replacing path: FilePath) throws(FileError) {
    try self.init(path, Destination(path), of: nil)
  }

  deinit { if let temporary { Temporaries.remove(temporary) } }

  package func append(_ bytes: [UInt8]) throws(FileError) { try file.append(bytes) }

  /// Locks the file, as `OpenFile.init(continuing:)` does.
  package func lock() throws(FileError) { try file.lock() }

  /// Gives the file its name, and returns it open for further bytes.
  @discardableResult
  package func finish() throws(FileError) -> OpenFile {
    guard let temporary else { return file }
    try outputs?.check(path, destination)
    do throws(SystemError) {
      try Temporaries.finish(temporary, as: destination.path)
    } catch {
      throw .unwritable(path: path, error)
    }
    outputs?.add(file)
    return file
  }

  /// Removes the file that `finish()` named.
  package func undo() { if temporary != nil { Files.remove(destination.path) } }

  /// Throws if a file can't be replaced: a folder, or one that the user may not write.
  private static func checkReplacing(
    _ destination: Destination, _ path: FilePath
  ) throws(FileError) {
    if destination.kind == .folder || destination.path.hasSuffix("/") {
      throw .unwritable(path: path, SystemError(EISDIR))
    }
    if Files.kindOfItem(destination.path) == .symbolicLink {
      throw .unwritable(path: path, SystemError(ELOOP))
    }
    if path == "" { throw .unwritable(path: path, SystemError(ENOENT)) }
    guard destination.kind != nil else { return }
    let isWritable = unsafe destination.path.withCString { unsafe access($0, W_OK) } == 0
    guard isWritable else { throw .unwritable(path: path, .last) }
  }
}
