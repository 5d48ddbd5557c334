//===--- AudioSpectrogramOperator.swift - AudioSpectrogram ----------------===//
//
// Input   0 x: float32, [samples, channels].
// Output  0 y: float32, [channels, frames, frequencies]: the powers or magnitudes of the spectrum of
//         each frame, from zero to half the sample rate.
// Options A FlexBuffer: `window_size` and `stride` in samples, `magnitude_squared` for powers.
// Source  LiteRT 2.3.0 `audio_spectrogram.cc`, `spectrogram.cc`; a custom operator of its own.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let audioSpectrogram = Registration(.custom("AudioSpectrogram"), versions: 1...1) {
    p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.input(0, as: Float.self)
    let shape = try p.shape(ofInput: 0, ranks: 2...2)
    let (samples, channels) = (shape[0], shape[1])
    let spectrogram = try p.spectrogram(try p.customOptions())
    let (frames, bins) = (spectrogram.frames(of: samples), spectrogram.bins)
    let y = try p.output(0, as: Float.self, shape: try p.shape([channels, frames, bins]))
    let line = try p.scratch(spectrogram.scratchCount, as: Double.self)
    p.state(
      work: saturatingProduct(
        channels, frames, spectrogram.scratchCount, bins.bitWidth - bins.leadingZeroBitCount))
    return { e in
      for channel in 0..<channels {
        for frame in 0..<frames where !e.workers.isInterrupted {
          spectrogram(
            e[x], frame: frame, channel: channel, of: channels, line: e[line],
            into: e[y].row(channel * frames + frame, of: bins))
        }
      }
    }
  }
}

extension Preparation {
  fileprivate func spectrogram(
    _ options: FlexBuffer
  ) throws(InferenceError) -> Spectrogram {
    let length = options["window_size"]?.intValue ?? 0
    guard length >= 2, length <= Int(Int32.max) / 2 else {
      throw .option(node: node, name: "window_size", value: length)
    }
    let step = options["stride"]?.intValue ?? 0
    guard step >= 1, step <= Int(Int32.max) else {
      throw .option(node: node, name: "stride", value: step)
    }
    // The window, and the roots of the transform.
    try takePrepared(
      length + Spectrogram.transformExtent(length), of: MemoryLayout<Double>.stride)
    return Spectrogram(
      length: length, step: step, isSquared: options["magnitude_squared"]?.boolValue ?? false)
  }
}
