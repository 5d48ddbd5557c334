// swift-tools-version: 6.2
import PackageDescription

#if compiler(<6.3)
  #error("Martlet needs Swift 6.3 or later; install it from swift.org")
#endif

/// The settings of every target. With `MARTLET_STRICT` in the environment warnings are errors. Not
/// otherwise: Xcode suppresses the warnings of dependencies, and the compiler rejects both together.
let strict: [SwiftSetting] =
  [.swiftLanguageMode(.v6)]
  + (Context.environment["MARTLET_STRICT"] != nil ? [.treatAllWarnings(as: .error)] : [])

/// With `MARTLET_CHECKED` in the environment, debug builds are not optimized and check the bounds
/// of all buffers.
let isChecked = Context.environment["MARTLET_CHECKED"] != nil

/// With `MARTLET_DSP` in the environment compiled models use the DSP instructions of Armv7E-M.
let isDSP = Context.environment["MARTLET_DSP"] != nil

/// Targets whose loops must be fast in debug builds too, because tests run them. Since tools
/// version 6.2 SwiftPM accepts unsafe flags in dependencies given by version.
let optimized: [SwiftSetting] = strict + (isChecked ? [] : [.unsafeFlags(["-O"])])

/// Releases of targets without performance-critical loops are optimized for size.
let ofSize = SwiftSetting.unsafeFlags(["-Osize"], .when(configuration: .release))
let small: [SwiftSetting] = strict + [ofSize]

/// The additional instruction sets of x86-64 and arm64 for which innermost loops are compiled. The
/// program chooses one when it starts. `MARTLET_PLAIN` disables them, for builds for other
/// machines.
#if arch(x86_64)
  let compiled = ["V3", "AVXVNNI", "V4", "VNNI"]
#elseif arch(arm64)
  let compiled = ["NEON", "DotProd", "I8MM"]
#else
  let compiled: [String] = []
#endif
let levels = Context.environment["MARTLET_PLAIN"] != nil ? [] : compiled

/// Whole-module optimization in debug builds too, so that functions are inlined across files.
let whole: [SwiftSetting] =
  optimized
  + (isChecked
    ? []
    : [
      .unsafeFlags(
        ["-disable-batch-mode", "-wmo", "-num-threads", "2"], .when(configuration: .debug))
    ])

/// The microkernels for one instruction set. V3 and V4 are links to the folder of
/// `MartletKernelsBase`. VNNI has kernels for its own instructions with V4's vectors, AVXVNNI with
/// V3's, and DotProd has kernels for arm64's vectors; AVXVNNI is a link to VNNI's folder, and NEON
/// and I8MM are links to DotProd's.
func microkernels(_ level: String) -> Target {
  let settings: [SwiftSetting] =
    switch level {
    case "NEON": [.define("MARTLET_NEON")]
    // Not `-march`, which fails if a Mac also builds for x86-64.
    case "DotProd": [feature("dotprod")]
    case "I8MM": [.define("MARTLET_I8MM"), feature("dotprod"), feature("i8mm")]
    case "VNNI": [.define("MARTLET_V4"), clang("-march=x86-64-v4", "-mavx512vnni")]
    case "AVXVNNI": [.define("MARTLET_V3"), clang("-march=x86-64-v3", "-mavxvnni")]
    // Loop strength reduction would replace the addressing modes of loads by additions.
    case "V3":
      [.define("MARTLET_V3"), clang("-march=x86-64-v3"), .unsafeFlags(["-Xllvm", "-disable-lsr"])]
    default: [.define("MARTLET_" + level), clang("-march=x86-64-" + level.lowercased())]
    }
  return .target(
    name: "MartletKernels" + level, dependencies: ["MartletMicrokernels"],
    swiftSettings: whole + settings)
}

/// Clang flags that tell the compiler's code generator which instructions are available.
func clang(_ flags: String...) -> SwiftSetting {
  .unsafeFlags(flags.flatMap { ["-Xcc", $0] })
}

/// Enables an extension of arm64.
func feature(_ name: String) -> SwiftSetting {
  clang("-Xclang", "-target-feature", "-Xclang", "+" + name)
}

/// A module that imports only the standard library and other core modules.
func core(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  isSmall: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude,
    swiftSettings: optimized + (isSmall ? [ofSize] : []))
}

/// The privacy manifest, which apps for Apple's systems include. Elsewhere a resource would make its
/// module need a folder beside the program.
#if os(macOS)
  let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#else
  let privacyManifest: [Resource] = []
#endif

// `.ci/check/availability` checks that nothing newer than these systems is used.
let package = Package(
  name: "Martlet",
  platforms: [.macOS(.v12), .iOS(.v15)],
  products: [
    .library(name: "Martlet", targets: ["Martlet"]),
    .library(name: "MartletMLKit", targets: ["MartletMLKit"]),
    .library(name: "MartletFirebase", targets: ["MartletFirebase"]),
    .library(name: "MartletVision", targets: ["MartletVision", "MartletSystem"]),
    .library(name: "MartletInference", targets: ["MartletInference", "MartletSystem"]),
    .library(name: "MartletCodecs", targets: ["MartletCodecs"]),
    .library(name: "MartletCompiled", targets: ["MartletCompiled"]),
    .library(name: "MartletHosting", targets: ["MartletHosting"]),
    .library(name: "MartletC", type: .dynamic, targets: ["MartletC"]),
    .plugin(name: "MartletModels", targets: ["MartletModels"]),
    .executable(name: "martlet", targets: ["MartletTool"]),
    .executable(name: "martlet-download", targets: ["MartletDownload"]),
  ],
  traits: [
    .trait(name: "Faces", description: "Detection of faces, with its five networks"),
    .trait(name: "FineLabels", description: "Everyday names of objects"),
    .trait(name: "RareFormats", description: "GIF, TIFF, BMP and PNM files"),
    .default(enabledTraits: ["Faces", "FineLabels", "RareFormats"]),
  ],
  targets: [
    core("MartletFreestanding"),
    core("MartletCLibrary"),
    .target(
      name: "MartletBase", dependencies: ["MartletCLibrary"],
      swiftSettings: optimized + [.enableExperimentalFeature("Lifetimes")]),
    core("MartletMicrokernels", ["MartletBase"]),
    .target(
      name: "MartletKernelsBase", dependencies: ["MartletMicrokernels"], swiftSettings: whole),
    .target(
      name: "MartletKernels",
      dependencies: ["MartletKernelsBase"]
        + levels.map { .byName(name: "MartletKernels" + $0) },
      swiftSettings: optimized + (levels.isEmpty ? [] : [.define("MARTLET_LEVELS")])),
    core("MartletReference", ["MartletBase"], isSmall: true),
    core("MartletModel", ["MartletBase"], isSmall: true),
    .target(
      name: "MartletOperators",
      dependencies: ["MartletModel", "MartletReference", "MartletKernels"],
      swiftSettings: whole),
    core("MartletInference", ["MartletOperators"], isSmall: true),
    // The kernels that the code of compiled models calls.
    .target(
      name: "MartletCompiled",
      swiftSettings: optimized
        + (isDSP
          ? [
            .define("MARTLET_DSP"),
            .unsafeFlags([
              "-Xfrontend", "-enable-builtin-module", "-Xllvm", "-pre-RA-sched=source",
            ]),
          ] : [])),
    .target(
      name: "MartletCompiler", dependencies: ["MartletInference"], swiftSettings: small),
    core("MartletImage", ["MartletKernels"]),
    core("MartletCodecs", ["MartletImage"]),
    .target(
      name: "MartletWeights", path: "Weights",
      exclude: ["IMAGES.md", "classifier.md", "faces.md", "localizer.md"],
      swiftSettings: optimized),
    core(
      "MartletVision", ["MartletCodecs", "MartletImage", "MartletInference", "MartletWeights"],
      exclude: ["Tracking/Tracking.md"]),
    .target(
      name: "Martlet", dependencies: ["MartletSystem", "MartletVision"], swiftSettings: strict),
    // ML Kit's names, and those of Firebase ML Vision.
    .target(name: "MartletMLKit", dependencies: ["Martlet"], swiftSettings: strict),
    .target(name: "MartletFirebase", dependencies: ["MartletMLKit"], swiftSettings: strict),
    // The functions of the C library and of the module for browsers: see .ci/build/c and .ci/build/wasm.
    .target(
      name: "MartletC", dependencies: ["MartletFreestanding", "MartletVision"],
      exclude: ["JavaScript", "Page", "Python"], swiftSettings: optimized),
    .target(name: "MartletSystem", dependencies: ["MartletBase"], swiftSettings: optimized),
    .target(
      name: "MartletHosting", dependencies: ["MartletMLKit"],
      exclude: privacyManifest.isEmpty ? ["PrivacyInfo.xcprivacy"] : [],
      resources: privacyManifest, swiftSettings: strict),
    .target(
      name: "MartletCommandLine",
      dependencies: ["MartletCompiler", "MartletSystem"], swiftSettings: small),
    // The build plugin that compiles models, and the program that it calls.
    .executableTarget(
      name: "MartletCompile", dependencies: ["MartletCommandLine"], swiftSettings: small),
    .plugin(
      name: "MartletModels", capability: .buildTool(), dependencies: ["MartletCompile"]),
    .executableTarget(
      name: "MartletDownload", dependencies: ["MartletCommandLine", "MartletHosting"],
      swiftSettings: strict),
    .executableTarget(
      name: "MartletTool", dependencies: ["MartletCommandLine", "MartletVision"],
      exclude: ["Schema"], swiftSettings: small),
  ] + levels.map(microkernels)
)

/// The modules in which each unchecked use of memory is marked `unsafe` and explained in a comment.
/// In the others most code works on pointers, so that every other line would be marked: the
/// kernels, the operators that call them, `MartletVision`, the benchmarks and the tests.
let memorySafe: Set = [
  "Martlet", "MartletBase", "MartletC", "MartletCodecs", "MartletCommandLine", "MartletCompile",
  "MartletCompiler", "MartletDownload", "MartletFirebase", "MartletFreestanding",
  "MartletHosting", "MartletImage", "MartletInference", "MartletMLKit", "MartletModel",
  "MartletSystem", "MartletTool", "MartletWeights",
]
for target in package.targets where memorySafe.contains(target.name) {
  target.swiftSettings?.append(.strictMemorySafety())
}

/// The modules with parts that traits disable. Compiled without SwiftPM, they have all parts.
for target in package.targets where ["MartletCodecs", "MartletWeights"].contains(target.name) {
  target.swiftSettings?.append(.define("MARTLET_TRAITS"))
}

/// The folders of `Sources` in import order, and the modules in each.
let folders = [
  "Base": ["MartletCLibrary", "MartletBase", "MartletSystem"],
  "Kernels": [
    "MartletReference", "MartletMicrokernels", "MartletKernelsBase", "MartletKernels",
  ] + ["V3", "AVXVNNI", "V4", "VNNI", "NEON", "DotProd", "I8MM"].map { "MartletKernels" + $0 },
  "Inference": [
    "MartletModel", "MartletOperators", "MartletInference", "MartletCompiled", "MartletCompiler",
  ],
  "Imaging": ["MartletImage", "MartletCodecs"],
  "Vision": ["MartletVision"],
  "API": [
    "Martlet", "MartletMLKit", "MartletFirebase", "MartletFreestanding", "MartletC",
    "MartletHosting",
  ],
  "Programs": [
    "MartletCommandLine", "MartletTool", "MartletDownload", "MartletCompile", "MartletModels",
  ],
]
for (folder, modules) in folders {
  for target in package.targets where modules.contains(target.name) {
    target.path = "Sources/\(folder)/\(target.name)"
  }
}

// Benchmarks and tests. A release ends before this line: see .ci/release.

/// The tests of a module, in a folder of the same name.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name), "MartletTestSupport"] + dependencies,
    swiftSettings: strict)
}

package.products.append(.executable(name: "bench", targets: ["bench"]))
package.targets += [
  .executableTarget(
    name: "bench", dependencies: ["MartletCommandLine", "MartletVision"], path: "Benchmarks",
    exclude: [
      "ARENA.md", "ARM64.md", "BARE_METAL.md", "COUNTS.txt", "FACES.md", "IMAGES.md",
      "SPEED.md", "WEB.md",
      "compare_arena.py", "compare_corpora.py", "compare_detect.py", "compare_faces.py",
      "compare_images.py", "compare_jpeg.py", "compare_litert.py", "compare_trackers.py",
      "compare_types.py", "compare_web.mjs", "track_switches.py",
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "soak", dependencies: ["MartletHosting", "MartletTestServer"], path: "Tests/Soak",
    swiftSettings: strict),
  .executableTarget(
    name: "static-server", dependencies: ["MartletTestServer"], path: "Tests/StaticServer",
    swiftSettings: strict),

  .target(
    name: "MartletTestSupport", dependencies: ["MartletCommandLine", "MartletModel"],
    path: "Tests/TestSupport", swiftSettings: optimized),
  .target(
    name: "MartletTestServer", dependencies: ["MartletBase"], path: "Tests/TestServer",
    swiftSettings: strict),
  .testTarget(
    name: "MartletTestSupportTests", dependencies: ["MartletTestServer", "MartletTestSupport"],
    swiftSettings: strict),
  tests("MartletBase"),
  tests("MartletFreestanding"),
  tests("MartletSystem"),
  tests("MartletReference"),
  tests("MartletKernels", ["MartletReference", "MartletSystem"]),
  tests("MartletModel"),
  tests("MartletInference", ["MartletSystem"]),
  tests("MartletCompiled"),
  tests("MartletCompiler", ["MartletCompiled", "MartletWeights"]),
  // Sees what users see: public names alone.
  .testTarget(
    name: "MartletOperatorTests", dependencies: ["MartletInference"], packageAccess: false,
    swiftSettings: strict),
  tests("MartletImage", ["MartletSystem"]),
  tests("MartletCodecs", ["MartletSystem"]),
  tests("MartletWeights"),
  tests("MartletVision"),
  tests("Martlet", ["MartletFirebase"]),
  tests("MartletC"),
  // Calls the package as users do, by its public names alone.
  .testTarget(
    name: "MartletUsageTests",
    dependencies: ["MartletFirebase", "MartletHosting", "MartletTestSupport", "OthersNames"],
    packageAccess: false,
    swiftSettings: strict),
  .target(name: "OthersNames", path: "Tests/OthersNames", swiftSettings: strict),
  tests("MartletHosting", ["MartletTestServer"]),
  tests("MartletCommandLine"),
  tests("MartletTool", ["MartletHosting", "MartletMLKit", "MartletTestServer"]),
]
package.targets.first { $0.name == "MartletWeights" }?.exclude += [
  "MANIFEST.json", "Training", "classifier.tflite", "face-detector-accurate.tflite",
  "face-detector-fast.tflite", "face-eyes.tflite", "face-mesh.tflite", "face-smile.tflite",
  "fine-labels.tflite", "localizer.tflite", "nano",
]
