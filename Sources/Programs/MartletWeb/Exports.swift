//===--- Exports.swift - functions of martlet.wasm ------------------------===//
//
// A page copies bytes into memory of `takeMemory` and calls a function. The reply is a line of JSON
// in UTF-8: `replyCount()` bytes at `replyAddress()`, valid until the next call.
//
//     let detector = makeDetector(request…, classifier…, detector…)   // 0: the reply has the error
//     detectFile(detector, name…, file…)                              // JPEG, PNG, BMP or PNM
//     detectPixels(detector, name…, rgba, width, height)              // rows without padding
//     releaseDetector(detector)
//
// Contract  Single-threaded. The caller guarantees that the memory it passes is valid; its contents
//           may be anything. If memory runs out, the module traps, and the page must create a new
//           instance.
// Checked   .ci/build/wasm, .ci/check/wasm
//===----------------------------------------------------------------------===//

#if arch(wasm32)
  import MartletBase
  import MartletFreestanding
  package import MartletVision

  // All calls come from one thread.
  nonisolated(unsafe) private var detectors: [Int32: PageDetector] = [:]
  nonisolated(unsafe) private var lastDetector: Int32 = 0
  nonisolated(unsafe) private var reply: [UInt8] = []

  /// Allocates memory for an argument; returns 0 if there is none left. JavaScript reads addresses
  /// with `>>> 0`: from 2 GiB on they are negative as `i32`.
  @_cdecl("takeMemory")
  package func takePageMemory(_ count: Int32) -> UnsafeMutableRawPointer? {
    unsafe takeMemory(Int(count))
  }

  /// Frees memory of `takeMemory`.
  @_cdecl("releaseMemory")
  package func releasePageMemory(_ place: UnsafeMutableRawPointer?) { unsafe releaseMemory(place) }

  /// The number of allocated bytes, which JavaScript also reads with `>>> 0`.
  @_cdecl("memoryInUse")
  package func memoryInUse() -> UInt32 { UInt32(memoryUse.now) }

  /// The largest number of bytes that were allocated at the same time.
  @_cdecl("largestMemoryInUse")
  package func largestMemoryInUse() -> UInt32 { UInt32(memoryUse.peak) }

  /// The address of the last call's reply.
  @_cdecl("replyAddress")
  package func replyAddress() -> UnsafeRawPointer? {
    // The array is not changed before the next call, so its bytes do not move.
    unsafe reply.withUnsafeBytes { $0.baseAddress }
  }

  /// The number of bytes of the last call's reply.
  @_cdecl("replyCount")
  package func replyCount() -> Int32 { Int32(unsafe reply.count) }

  /// Creates a detector with the JSON options in `request`. `.tflite` files replace the shipped
  /// networks unless empty. Returns 0 on failure; the reply has the error.
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

  /// Releases a detector.
  @_cdecl("releaseDetector")
  package func releaseDetector(_ detector: Int32) { unsafe detectors[detector] = nil }

  /// Detects in an encoded image; the reply is its line of JSON.
  @_cdecl("detectFile")
  package func detectFile(
    _ detector: Int32, _ name: UnsafeRawPointer?, _ nameCount: Int32, _ file: UnsafeRawPointer?,
    _ fileCount: Int32
  ) {
    let name = String(decoding: unsafe bytes(name, nameCount), as: UTF8.self)
    guard let detector = unsafe detectors[detector] else { return answer(unknown(name)) }
    answer(detector.line(of: name, file: unsafe bytes(file, fileCount)))
  }

  /// Detects in an upright image of RGBA pixels; the reply is its line of JSON.
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

  /// Copies the bytes of a page.
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
