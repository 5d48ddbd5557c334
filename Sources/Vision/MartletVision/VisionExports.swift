//===--- VisionExports.swift - what comes with `import MartletVision` -----===//
//
// Images, models and the interpreter: what the module's own names speak of.
//===----------------------------------------------------------------------===//

@_exported public import MartletImage
@_exported public import MartletInference
@_exported public import MartletModel
