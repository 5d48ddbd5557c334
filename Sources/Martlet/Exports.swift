//===--- Exports.swift - what comes with `import Martlet` -----------------===//

@_exported public import MartletVision
