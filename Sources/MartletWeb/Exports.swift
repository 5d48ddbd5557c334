//===--- Exports.swift - the functions of martlet.wasm --------------------===//
//
// A page puts bytes into memory that `takeMemory` gives, and calls. What comes back is a line of JSON in
// UTF-8, at `replyAddress()`, `replyCount()` bytes, until the next call.
//
//     let detector = makeDetector(request…, classifier…, detector…)   // 0: the reply has the error
//     detectFile(detector, name…, file…)                              // a JPEG, PNG, BMP or PNM file
//     detectPixels(detector, name…, rgba, width, height)              // rows without padding
//     releaseDetector(detector)
//
// Contract  One thread. Whoever calls vouches for the memory that it names, as only it can; everything in
//           that memory may be anything. Memory that runs out ends in a trap, after which the page makes
//           a new instance of the module.
// Checked   .ci/build-wasm, .ci/check-wasm
//===----------------------------------------------------------------------===//

#if arch(wasm32)
  import MartletFreestanding
  import MartletJSON
  import MartletVision

  // One thread calls these.
  nonisolated(unsafe) private var detectors: [Int32: PageDetector] = [:]
  nonisolated(unsafe) private var lastDetector: Int32 = 0
  nonisolated(unsafe) private var reply: [UInt8] = []

  /// Memory for what a call takes; 0 if there is none left. JavaScript reads addresses with
  /// `>>> 0`: from 2 GiB on they are negative as `i32`.
  @_cdecl("takeMemory")
  package func takePageMemory(_ count: Int32) -> UnsafeMutableRawPointer? {
    unsafe takeMemory(Int(count))
  }

  /// Takes back memory of `takeMemory`.
  @_cdecl("releaseMemory")
  package func releasePageMemory(_ place: UnsafeMutableRawPointer?) { unsafe releaseMemory(place) }

  /// The number of allocated bytes, which JavaScript reads with `>>> 0` too.
  @_cdecl("memoryInUse")
  package func memoryInUse() -> UInt32 { UInt32(memoryUse.now) }

  /// The highest number of bytes that were allocated at once.
  @_cdecl("largestMemoryInUse")
  package func largestMemoryInUse() -> UInt32 { UInt32(memoryUse.peak) }

  /// Where the last call's reply lies.
  @_cdecl("replyAddress")
  package func replyAddress() -> UnsafeRawPointer? {
    // The array is not touched before the next call, so its bytes stay where they are.
    unsafe reply.withUnsafeBytes { $0.baseAddress }
  }

  /// How many bytes the last call's reply has.
  @_cdecl("replyCount")
  package func replyCount() -> Int32 { Int32(unsafe reply.count) }

  /// A detector by the options in `request`, JSON, with the networks of two `.tflite` files, or of none; 0
  /// where there is none, and the reply has the reason.
  @_cdecl("makeDetector")
  package func makeDetector(
    _ request: UnsafeRawPointer?, _ requestCount: Int32, _ classifier: UnsafeRawPointer?,
    _ classifierCount: Int32, _ detector: UnsafeRawPointer?, _ detectorCount: Int32
  ) -> Int32 {
    let text = unsafe bytes(request, requestCount)
    let parsed: PageRequest
    do throws(JSONError) {
      parsed = try PageRequest(JSONReader(JSON(parsing: text)))
    } catch { return fail(error.description) }
    do throws(VisionError) {
      let made = try PageDetector(
        parsed, classifier: unsafe bytes(classifier, classifierCount),
        detector: unsafe bytes(detector, detectorCount))
      unsafe lastDetector += 1
      unsafe detectors[lastDetector] = made
      return unsafe lastDetector
    } catch { return fail(error.description) }
  }

  /// Ends a detector.
  @_cdecl("releaseDetector")
  package func releaseDetector(_ detector: Int32) { unsafe detectors[detector] = nil }

  /// Replies with the line of an encoded image.
  @_cdecl("detectFile")
  package func detectFile(
    _ detector: Int32, _ name: UnsafeRawPointer?, _ nameCount: Int32, _ file: UnsafeRawPointer?,
    _ fileCount: Int32
  ) {
    let name = String(decoding: unsafe bytes(name, nameCount), as: UTF8.self)
    guard let detector = unsafe detectors[detector] else { return answer(unknown(name)) }
    answer(detector.line(of: name, file: unsafe bytes(file, fileCount)))
  }

  /// Replies with the line of an upright image of RGBA pixels.
  @_cdecl("detectPixels")
  package func detectPixels(
    _ detector: Int32, _ name: UnsafeRawPointer?, _ nameCount: Int32, _ rgba: UnsafeRawPointer?,
    _ width: Int32, _ height: Int32
  ) {
    let name = String(decoding: unsafe bytes(name, nameCount), as: UTF8.self)
    guard let detector = unsafe detectors[detector] else { return answer(unknown(name)) }
    let pixelCount = Int64(max(width, 0)) * Int64(max(height, 0))
    let count = pixelCount > Int64(Int32.max / 4) ? 0 : 4 * Int(pixelCount)
    do throws(ImageError) {
      let pixels = unsafe UnsafeRawBufferPointer(start: rgba, count: count)
      let view = unsafe try PixelView(
        size: ImageSize(width: Int(width), height: Int(height)), format: .rgba, bytes: pixels)
      answer(detector.line(of: name, RGBImage(view)))
    } catch { answer(detector.failure(of: name, error.description)) }
  }

  /// A copy of a page's bytes.
  private func bytes(_ place: UnsafeRawPointer?, _ count: Int32) -> [UInt8] {
    [UInt8](
      unsafe UnsafeRawBufferPointer(start: place, count: place == nil ? 0 : Int(max(count, 0))))
  }

  private func unknown(_ name: String) -> JSON {
    JSON.failure(of: name, "the detector was released, or never made")
  }

  private func fail(_ reason: String) -> Int32 {
    answer(.object([("error", .string(reason))]))
    return 0
  }

  private func answer(_ json: JSON) { unsafe reply = Array(json.description.utf8) }
#endif
