//===--- AnnotatedVideo.swift - writing frames ----------------------------===//
//
// The output is a folder of PNG files, or a YUV4MPEG2 video in a file or on standard output.
//
// Contract  All frames of a video have the same size; another size is an error of that frame.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine

/// An error of writing a frame.
enum AnnotatedVideoError: Error, Equatable {
  case sizeChanged(width: Int, height: Int, video: ImageSize)
  case tooLarge(frames: Int, size: ImageSize, limit: Int)
}

extension AnnotatedVideoError: CustomStringConvertible {
  var description: String {
    switch self {
    case .sizeChanged(let width, let height, let video):
      """
      a frame of \(width) x \(height) pixels does not go into an annotated video of \
      \(video.width) x \(video.height)
      """
    case .tooLarge(let frames, let size, let limit):
      """
      \(frames) frames of \(size.width) x \(size.height) pixels, which concealing needs, do not \
      fit into \(limit >> 20) MiB of memory; pass a larger --max-memory
      """
    }
  }
}

/// Writes annotated or concealed frames in order.
struct AnnotatedVideo {
  private enum Destination {
    case folder(OutputPaths)
    case video(OutputFile, size: ImageSize?)
    /// A video that could not be written.
    case failed
  }

  private var destination: Destination
  private let rate: (numerator: Int, denominator: Int)
  /// Whether frames are named by their number instead of their file.
  private let isNumbered: Bool

  /// Throws if frames cannot be written in the format of an option's value; `isPrinting` says that
  /// results go to standard output.
  static func check(_ path: FilePath, of option: String, isPrinting: Bool) throws(UsageError) {
    if path == .standardStream, isPrinting {
      throw .invalidValue(
        option: option, value: "-",
        expected: "a folder or a .y4m file, since results go to standard output")
    }
    let videoEndings = [".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".gif", ".mjpeg", ".mpg"]
    let isImage = ImageFormat.isRead(path) && Files.kind(path) != .folder
    if isImage || videoEndings.contains(where: path.hasEnding) {
      throw .invalidValue(
        option: option, value: "\(path)",
        expected: """
          a folder, a .y4m file, or - for other videos (martlet track … \(option) - | ffmpeg -i - \
          \(path))
          """)
    }
  }

  /// Creates the output for the frames of `source`.
  init(_ path: FilePath, of source: VideoSource, _ outputs: Outputs) throws(FileError) {
    rate = source.rate
    isNumbered = source.isOneFile
    for file in source.files { outputs.spare(file) }
    if path == .standardStream || path.hasSuffix(".y4m") {
      destination = .video(try outputs.file(path), size: nil)
    } else {
      destination = .folder(OutputPaths(folder: path, of: outputs))
    }
  }

  /// Writes a frame. After an error of the video's file, further frames are not written.
  mutating func add(_ image: RGBImage, name: FilePath, number: Int) throws {
    switch destination {
    case .folder(var paths):
      let digits = String(number)
      let padded = String(repeating: "0", count: max(6 - digits.count, 0)) + digits
      defer { destination = .folder(paths) }
      try paths.write(image, for: isNumbered ? FilePath(padded + ".png") : name)
    case .video(let file, let size):
      if let size, size != image.size {
        throw AnnotatedVideoError.sizeChanged(
          width: image.width, height: image.height, video: size)
      }
      let header = size == nil ? Y4MWriter.header(Y4MHeader(size: image.size, rate: rate)) : []
      destination = .failed
      try file.append(header + Y4MWriter.frame(image))
      destination = .video(file, size: image.size)
    case .failed: break
    }
  }

  /// Ends the video, which gets its name.
  func finish() throws(FileError) {
    if case .video(let file, _) = destination { try file.finish() }
  }
}
