//===--- VideoFuzzer.swift - fuzzes videos --------------------------------===//
//
// A libFuzzer target: the bytes of a YUV4MPEG2 video, a GIF file, a WebP animation or concatenated
// JPEG images.
//
// Oracles   No trap, no access outside the memory, no hang, no use beyond the limits. Frames and
//           errors do not depend on how the bytes are split.
// Run       .ci/fuzz videos
//===----------------------------------------------------------------------===//

import MartletCodecs

/// The maximum number of frames that are read.
private let frameLimit = 16

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  var rest = bytes[...]
  let pieces = ByteSource {
    defer { rest = rest.dropFirst(7) }
    return Array(rest.prefix(7))
  }
  guard frames(ByteSource(bytes)) == frames(pieces) else {
    fatalError("a video in pieces has different frames")
  }
  return 0
}

/// The result of a read: a frame, or the error.
private enum Step: Equatable {
  case frame(RGBImage)
  case failure(String)
}

private func frames(_ source: ByteSource) -> [Step] {
  var source = source
  var steps: [Step] = []
  if source.peek(count: 4).elementsEqual("YUV4".utf8) {
    do throws(Y4MError) {
      var reader = try Y4MReader(source)
      while steps.count < frameLimit, let frame = try reader.next() { steps.append(.frame(frame)) }
    } catch { steps.append(.failure("\(error)")) }
    return steps
  }
  let limits = ImageLimits(memory: 8 << 20)
  if source.peek(count: 4).elementsEqual("GIF8".utf8) {
    do throws(GIFError) {
      var reader = try GIFReader(source, limits: limits)
      while steps.count < frameLimit, let frame = try reader.next() { steps.append(.frame(frame)) }
    } catch { steps.append(.failure("\(error)")) }
    return steps
  }
  if WebPReader.matches(Array(source.peek(count: 12))) {
    do throws(WebPError) {
      var reader = try WebPReader(source, limits: limits)
      while steps.count < frameLimit {
        do throws(WebPError) {
          guard let frame = try reader.next() else { break }
          steps.append(.frame(frame))
        } catch { steps.append(.failure("\(error)")) }
      }
    } catch { steps.append(.failure("\(error)")) }
    return steps
  }
  var reader = MJPEGReader(source, limits: limits)
  while steps.count < frameLimit {
    do throws(MJPEGError) {
      guard let frame = try reader.next() else { break }
      steps.append(.frame(frame))
    } catch { steps.append(.failure("\(error)")) }
  }
  return steps
}
