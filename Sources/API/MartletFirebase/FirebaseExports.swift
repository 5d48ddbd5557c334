//===--- FirebaseExports.swift - what `import MartletFirebase` brings -----===//

@_exported public import MartletMLKit
