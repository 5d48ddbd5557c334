//===--- Surroundings.swift - declarations for the documents' snippets ----===//
//
// The variables that the snippets use: an image, a detector, an address.
//===----------------------------------------------------------------------===//

import Foundation
import MartletMLKit
import MartletHosting
import MartletInference

let address = URL(filePath: "birds.json")
let bytes: [UInt8] = []
let file: [UInt8] = []
let batches: [[[UInt8]]] = []
let frames = AsyncStream<VisionImage> { $0.finish() }
var image: VisionImage { fatalError() }
let detector = ObjectDetector.objectDetector(options: ObjectDetectorOptions())
let localModel = LocalModel(path: "birds.tflite")
let options = CustomObjectDetectorOptions(localModel: localModel)
var model: Model { fatalError() }
let remoteModel = CustomRemoteModel(name: "birds")

func show(_ objects: [Object]) {}
func store(_ results: [String: [UInt8]]) {}
func draw(_ objects: [Object], on frame: VisionImage) {}
