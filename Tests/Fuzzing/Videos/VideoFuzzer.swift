//===--- VideoFuzzer.swift - fuzzes videos --------------------------------===//
//
// A libFuzzer target: the bytes of a YUV4MPEG2 video, a GIF file, a WebP animation or concatenated
// JPEG images.
//
// Oracles   No trap, no access outside the memory, no use beyond the default limits. Reading takes no
//           longer than TimeBound. Frames and errors of at most a million pixels together do not
//           depend on how the bytes are split.
// Run       .ci/fuzz videos, y4m, mjpeg, gif-video or webp-video
//===----------------------------------------------------------------------===//

import MartletCodecs

/// The maximum number of frames that are read, and of pixels that are kept.
private let (frameLimit, pixelLimit) = (16, 1 << 20)

/// The pixels of a frame that cannot be read may be any: those of the largest image.
private let largestFrame = 1 << 28

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  var rest = bytes[...]
  let pieces = ByteSource {
    defer { rest = rest.dropFirst(7) }
    return Array(rest.prefix(7))
  }
  let whole = TimeBound.check(bytes.count) {
    frames(ByteSource(bytes))
  } pixels: {
    $0.mostPixels
  }
  guard whole.pixels <= pixelLimit else { return 0 }
  guard whole == frames(pieces) else { fatalError("a video in pieces has different frames") }
  return 0
}

/// The results of reading.
private struct Steps: Equatable {
  /// The frames, until they have too many pixels.
  private var frames: [RGBImage] = []
  private var failures: [String] = []
  private var count = 0
  /// The pixels of the frames that could be read.
  private(set) var pixels = 0

  var isComplete: Bool { count == frameLimit }

  /// The most pixels that may have been decoded.
  var mostPixels: Int { pixels + largestFrame * failures.count }

  mutating func add(_ frame: RGBImage) {
    count += 1
    pixels += frame.width * frame.height
    if pixels <= pixelLimit { frames.append(frame) }
  }

  mutating func add(_ error: some Error) {
    count += 1
    failures.append("\(error)")
  }
}

private func frames(_ source: ByteSource) -> Steps {
  var source = source
  var steps = Steps()
  if source.peek(count: 4).elementsEqual("YUV4".utf8) {
    do throws(Y4MError) {
      var reader = try Y4MReader(source)
      while !steps.isComplete, let frame = try reader.next() { steps.add(frame) }
    } catch { steps.add(error) }
    return steps
  }
  if source.peek(count: 4).elementsEqual("GIF8".utf8) {
    do throws(GIFError) {
      var reader = try GIFReader(source)
      while !steps.isComplete, let frame = try reader.next() { steps.add(frame) }
    } catch { steps.add(error) }
    return steps
  }
  if WebPReader.matches(Array(source.peek(count: 12))) {
    do throws(WebPError) {
      var reader = try WebPReader(source)
      while !steps.isComplete {
        do throws(WebPError) {
          guard let frame = try reader.next() else { break }
          steps.add(frame)
        } catch { steps.add(error) }
      }
    } catch { steps.add(error) }
    return steps
  }
  var reader = MJPEGReader(source)
  while !steps.isComplete {
    do throws(MJPEGError) {
      guard let frame = try reader.next() else { break }
      steps.add(frame)
    } catch { steps.add(error) }
  }
  return steps
}
