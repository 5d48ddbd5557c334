//===--- MartletExports.swift - types exported by `import Martlet` --------===//
//
// The types that the API uses are exported one by one. Common names such as `Shape`, `Box` and
// `Model` stay in their modules, so that they cannot collide with a program's own.
//===----------------------------------------------------------------------===//

@_exported public import enum MartletCodecs.DecodingWarning
@_exported public import enum MartletCodecs.ImageFileError
@_exported public import enum MartletVision.FaceContourType
@_exported public import enum MartletVision.FaceLandmarkType
@_exported public import struct MartletVision.HeadEulerAngles
@_exported public import enum MartletImage.Concealment
@_exported public import enum MartletImage.ImageError
@_exported public import struct MartletImage.ImageLimits
@_exported public import enum MartletImage.ImageOrientation
@_exported public import struct MartletImage.ImageSize
@_exported public import enum MartletImage.LumaRange
@_exported public import struct MartletImage.PixelBuffer
@_exported public import enum MartletImage.PixelFormat
@_exported public import struct MartletImage.PixelNormalization
@_exported public import struct MartletImage.PixelRectangle
@_exported public import struct MartletImage.PixelView
@_exported public import struct MartletImage.RGBImage
@_exported public import enum MartletImage.ResizeMethod
@_exported public import enum MartletInference.InferenceError
@_exported public import class MartletInference.Interpreter
@_exported public import enum MartletInference.KernelSet
@_exported public import enum MartletModel.MetadataError
@_exported public import enum MartletModel.ModelError
@_exported public import enum MartletModel.TextError
@_exported public import struct MartletBase.CancellationCheck
@_exported public import enum MartletBase.Interruption
@_exported public import struct MartletBase.Workers
@_exported public import struct MartletVision.Classification
@_exported public import struct MartletVision.DecodingConfiguration
@_exported public import struct MartletVision.FaceConfiguration
@_exported public import struct MartletVision.LabelConfiguration
@_exported public import struct MartletVision.ObjectConfiguration
@_exported public import class MartletVision.Classifier
@_exported public import enum MartletImage.CoarseCategory
@_exported public import struct MartletImage.DetectedObject
@_exported public import enum MartletVision.FileProblem
@_exported public import class MartletVision.FineLabeler
@_exported public import struct MartletVision.ModelFile
@_exported public import enum MartletVision.DetectorHead
@_exported public import enum MartletVision.LabelFilter
@_exported public import enum MartletVision.ManifestProblem
@_exported public import enum MartletVision.ModelRequirement
@_exported public import class MartletVision.ObjectFinder
@_exported public import struct MartletImage.ObjectLabel
@_exported public import class MartletVision.ObjectStream
@_exported public import struct MartletVision.ObjectTracker
@_exported public import enum MartletVision.BoxAnchor
@_exported public import struct MartletVision.LineCounter
@_exported public import struct MartletVision.ZoneCounter
@_exported public import struct MartletVision.TrackingParameters
@_exported public import enum MartletVision.VisionError
@_exported public import MartletSystem
