//===--- AnnotatedVideo.swift - writing annotated frames ------------------===//
//
// The output is a folder of PNG files, or a YUV4MPEG2 video in a file or on standard output.
//
// Contract  All frames of a video have the same size; another size is an error of that frame.
// Checked   Tests/MartletToolTests/TrackCommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine

/// An error of writing a frame.
enum AnnotatedVideoError: Error, Equatable {
  case sizeChanged(width: Int, height: Int, video: ImageSize)
}

extension AnnotatedVideoError: CustomStringConvertible {
  var description: String {
    switch self {
    case .sizeChanged(let width, let height, let video):
      """
      a frame of \(width) x \(height) pixels does not go into an annotated video of \
      \(video.width) x \(video.height)
      """
    }
  }
}

/// Writes annotated frames in order.
struct AnnotatedVideo {
  private enum Destination {
    case folder(OutputPaths)
    case video(OpenFile, size: ImageSize?)
  }

  private var destination: Destination
  private let rate: (numerator: Int, denominator: Int)
  /// Whether frames are named by their number instead of their file.
  private let isNumbered: Bool
  /// The files that must not be overwritten.
  private let inputs: Set<FileIdentity>

  /// Creates the output for the frames of `source`.
  init(_ path: String, of source: VideoSource) throws(FileError) {
    rate = source.rate
    isNumbered = source.isOneFile
    inputs = Files.identities(source.files)
    if path == "-" || path.hasSuffix(".y4m") {
      destination = .video(try OpenFile(writing: path, sparing: inputs), size: nil)
    } else {
      destination = .folder(OutputPaths(folder: path))
    }
  }

  /// Writes a frame.
  mutating func add(_ image: RGBImage, name: String, number: Int) throws {
    switch destination {
    case .folder(var paths):
      let digits = String(number)
      let padded = String(repeating: "0", count: max(6 - digits.count, 0)) + digits
      defer { destination = .folder(paths) }
      try paths.write(image, for: isNumbered ? padded + ".png" : name, sparing: inputs)
    case .video(let file, let size):
      if let size, size != image.size {
        throw AnnotatedVideoError.sizeChanged(
          width: image.width, height: image.height, video: size)
      }
      if size == nil {
        try file.append(Y4MWriter.header(Y4MHeader(size: image.size, rate: rate)))
        destination = .video(file, size: image.size)
      }
      try file.append(Y4MWriter.frame(image))
    }
  }
}
