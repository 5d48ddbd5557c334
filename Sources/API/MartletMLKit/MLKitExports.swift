//===--- MLKitExports.swift - what `import MartletMLKit` brings -----------===//

@_exported public import Martlet
