//===--- NetworkEntries.swift - calls of finders, networks and decoders ---===//

import Foundation
import Martlet
import MartletInference
import MartletVision

/// The entries of the layers below detectors.
func networkEntries() throws -> [Entry] {
  let scene = try VisionImage(contentsOfFile: "Tests/Fixtures/Scenes/fruit.jpg").image().upright
  let path = "Tests/Fixtures/Models/blocks_f32.tflite"
  let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
  var input: [UInt8] = []
  for index in 0..<64 * 64 * 3 {
    let sample = Float(index % 255) / 255
    withUnsafeBytes(of: sample.bitPattern.littleEndian) { input += $0 }
  }
  return [
    Entry(name: "ObjectFinder") {
      let finder = try ObjectFinder(.init(limit: 5), lock: .none)
      return { _ in Data("\(try finder.objects(in: scene))".utf8) }
    },
    Entry(name: "ObjectStream") {
      let (stream, second) = (try ObjectStream(), try ObjectStream())
      return { _ in Data("\(try stream.objects(in: scene) == second.objects(in: scene))".utf8) }
    },
    Entry(name: "Classifier") {
      let classifier = try Classifier(lock: .none)
      return { _ in Data("\(try classifier.labels(in: scene))".utf8) }
    },
    Entry(name: "Interpreter, run") {
      let interpreter = try Interpreter(model: Model(bytes: file))
      return { _ in
        try interpreter.setInput(0, to: input)
        try interpreter.invoke()
        return Data(try interpreter.output(0))
      }
    },
    Entry(name: "Interpreter, new") {
      { _ in
        let interpreter = try Interpreter(model: Model(bytes: file))
        try interpreter.setInput(0, to: input)
        try interpreter.invoke()
        return Data(try interpreter.output(0))
      }
    },
    Entry(name: "Interpreter, resize", period: 2) {
      let eyes = [UInt8](try Data(contentsOf: URL(filePath: "Weights/face-eyes.tflite")))
      let interpreter = try Interpreter(model: Model(bytes: eyes))
      return { number in
        let side = number.isMultiple(of: 2) ? 32 : 48
        try interpreter.resizeInput(0, to: [1, side, side, 3])
        try interpreter.setInput(0, to: Array(input.prefix(side * side * 3)))
        try interpreter.invoke()
        return Data(try interpreter.output(0))
      }
    },
    Entry(name: "VisionImage, from a file", period: 3) {
      let paths = ["JPEG", "Scenes", "PNG"].flatMap { folder in
        let files = try? FileManager.default.contentsOfDirectory(atPath: "Tests/Fixtures/" + folder)
        let images = (files ?? []).filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }
        return images.min().map { ["Tests/Fixtures/\(folder)/\($0)"] } ?? []
      }
      return { number in
        let image = try VisionImage(contentsOfFile: paths[number % paths.count]).image().upright
        return Data(image.pixels)
      }
    },
    Entry(name: "VisionImage, damaged") {
      { _ in
        do {
          return Data("\(try VisionImage(encoded: file).image().size)".utf8)
        } catch { return Data("\(error)".utf8) }
      }
    },
  ]
}
