#!/usr/bin/env python3
"""Lists what a Swift package uses that is newer than given versions of iOS and macOS; needs no Mac.

    .ci/lib/availability.py --package DIR --ios 16.0 --macos 13.0

The compiler itself decides. A Linux toolchain has the textual interfaces of the standard library
(Swift, _Concurrency, Synchronization, _StringProcessing, RegexBuilder, ...), and they state Apple's
availability. This program compiles them for Apple's systems, and the package's modules with them.
So `if #available`, `@available`, `#if`, back-deployed declarations and language features that need
a newer runtime (value generics, parameter packs, isolated deinit, types with typed errors, ...) are
treated as on a Mac. Foundation and Dispatch have no interface: theirs is printed by
`swift-synthesize-interface`, and declarations that do not compile for Apple's systems are left out.

Limits
  - Much of Linux's Foundation (classes named NS..., URLSession) states no availability. `ADDED` has
    what Apple's documentation says of some; others count as old.
  - Frameworks that do not exist on Linux (UIKit, AVFoundation, Darwin, ...) come from Swift files of
    declarations, one per module: --stubs, by default Tests/Apple/Stubs of the package. Without
    stubs, code under `#if canImport(...)` is not compiled.
  - iOS is checked as arm64 and macOS as x86-64, so that code for both processors is seen.
  - C and Objective-C targets, plugins, macros and products of other packages are not checked.

Each finding is printed once as FILE:LINE:COLUMN: symbol or feature: what it needs [modules], and then
a table of symbols. Other errors are printed too: a stub lacks a declaration, or, below the floor, an
overload does not exist. The exit status is 1 if there are findings, and 2 if there are other errors.

The modules for Apple's systems are kept in --cache; building them takes half a minute of processor
time per system, and checking Martlet two minutes per system.
"""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

# The standard library's modules, in the order of their imports.
STANDARD = [
    "Swift", "SwiftOnoneSupport", "_Concurrency", "_Builtin_float", "_Volatile", "_RegexParser",
    "_StringProcessing", "Synchronization", "RegexBuilder", "Observation", "Distributed",
]

# The modules of Linux whose contents are Apple's Foundation.
FOUNDATION = [
    "FoundationEssentials", "FoundationInternationalization", "Foundation", "FoundationNetworking",
]

# Declarations whose availability Linux's Foundation does not state: a part of the line that starts
# the type or extension, a part of the line of the member, iOS, macOS.
ADDED = [
    ("class URLSessionTask ", "var delegate:", "15.0", "12.0"),
    ("class URLSessionTask ", "var prefersIncrementalDelivery:", "14.5", "11.3"),
    ("class URLSessionConfiguration ", "var allowsExpensiveNetworkAccess:", "13.0", "10.15"),
    ("class URLSessionConfiguration ", "var allowsConstrainedNetworkAccess:", "13.0", "10.15"),
    ("class URLSessionConfiguration ", "var tlsMinimumSupportedProtocolVersion:", "13.0", "10.15"),
    ("struct URLRequest ", "var allowsExpensiveNetworkAccess:", "13.0", "10.15"),
    ("struct URLRequest ", "var allowsConstrainedNetworkAccess:", "13.0", "10.15"),
    ("struct URLRequest ", "var assumesHTTP3Capable:", "14.5", "11.3"),
    ("class HTTPURLResponse ", "func value(forHTTPHeaderField", "13.0", "10.15"),
    ("class FileHandle ", "func close() throws", "13.0", "10.15"),
    ("class FileHandle ", "func synchronize() throws", "13.0", "10.15"),
    ("class FileHandle ", "func readToEnd() throws", "13.4", "10.15.4"),
    ("class FileHandle ", "func read(upToCount", "13.4", "10.15.4"),
    ("class FileHandle ", "func write<", "13.4", "10.15.4"),
    ("class FileHandle ", "func offset() throws", "13.4", "10.15.4"),
    ("class FileHandle ", "func seekToEnd() throws", "13.4", "10.15.4"),
]

# Declarations that Apple's Foundation has and Linux's lacks. Add what a package uses.
MISSING = """
@available(macOS 13.0, iOS 16.0, *)
extension URL {
public static var applicationSupportDirectory: URL { get }
public static var cachesDirectory: URL { get }
public static var documentsDirectory: URL { get }
public static var libraryDirectory: URL { get }
public static var temporaryDirectory: URL { get }
public static var homeDirectory: URL { get }
}
"""

# The oldest systems for which Xcode 26 builds; the modules of the standard library need no more.
OLDEST = {"ios": "12.0", "macosx": "10.13"}

FINDING = re.compile(r"^(?P<what>.*) (?:is|are) only available in (?P<os>\w+) (?P<version>[\d.]+) or newer$")
DIAGNOSTIC = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): error: (?P<text>.*)$")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def fail(message):
    sys.exit("availability.py: " + message)


# MARK: - Modules for Apple's systems


class Toolchain:
    """The installed compiler, and what it has for the system on which it runs."""

    def __init__(self):
        compiler = shutil.which("swiftc") or fail("no swiftc in PATH")
        self.root = os.path.dirname(os.path.dirname(os.path.realpath(compiler)))
        self.resources = os.path.join(self.root, "lib", "swift")
        self.host = json.loads(run([self.tool("swiftc"), "-print-target-info"]).stdout)["target"]["triple"]
        self.version = run([self.tool("swiftc"), "--version"]).stdout.splitlines()[0]

    def tool(self, name):
        return os.path.join(self.root, "bin", name)

    def interface(self, module):
        """The textual interface of a module of the standard library, or None."""
        found = glob.glob(f"{self.resources}/linux/{module}.swiftmodule/*.swiftinterface")
        found = [path for path in found if ".private." not in path]
        return open(found[0]).read() if found else None

    def synthesized(self, module):
        """All public declarations of a module without textual interface, or None."""
        result = run([self.tool("swift-synthesize-interface"), "-module-name", module, "-target", self.host])
        return result.stdout if result.returncode == 0 else None


class AppleModules:
    """Compiles the standard library, Foundation, Dispatch and stubs for one of Apple's systems."""

    def __init__(self, toolchain, system, architecture, stubs, cache):
        self.toolchain = toolchain
        self.triple = f"{architecture}-apple-{system}{OLDEST[system]}"
        stub_files = sorted(glob.glob(os.path.join(stubs, "*.swift"))) if stubs else []
        self.stubs = {os.path.basename(path)[: -len(".swift")]: path for path in stub_files}
        key = hashlib.sha256(toolchain.version.encode())
        for path in [os.path.abspath(__file__), *stub_files]:
            key.update(open(path, "rb").read())
        self.folder = os.path.join(os.path.abspath(cache), self.triple + "-" + key.hexdigest()[:12])
        self.clang_cache = os.path.join(os.path.abspath(cache), "clang")
        self.dropped = []  # (module, declaration, error)

    def flags(self, triple):
        return [
            "-target", triple, "-resource-dir", self.toolchain.resources, "-I", self.folder,
            "-module-cache-path", self.clang_cache, "-Xcc", "-ffreestanding",
        ]

    def frontend(self, *arguments):
        """Runs the compiler itself, for one of the modules."""
        return run([
            self.toolchain.tool("swift-frontend"), *arguments, "-disable-availability-checking",
            "-disable-legacy-type-info", *self.flags(self.triple),
        ])

    def build(self):
        done = os.path.join(self.folder, "done")
        if os.path.exists(done):
            self.dropped = json.load(open(done))
            return
        os.makedirs(self.folder, exist_ok=True)
        for module in STANDARD:
            text = self.toolchain.interface(module)
            if text is None:
                print(f"note: this toolchain has no interface of {module}", file=sys.stderr)
                continue
            self.compile_interface(module, self.adapted(text))
        self.build_synthesized("Dispatch", ["Dispatch"], ["import Swift", "import _Concurrency"])
        waiting = dict(self.stubs)
        imports = ["import Swift", "import _Concurrency", "import _StringProcessing", "@_exported import Dispatch"]
        if "Darwin" in waiting:
            self.build_stubs(waiting, allowed=set())  # those that do not need Foundation
            if "Darwin" not in waiting:
                imports.append("@_exported import Darwin")
        self.build_synthesized("Foundation", FOUNDATION, imports)
        self.build_stubs(waiting, allowed={"Foundation"})
        for module in waiting:
            print(f"note: the stub {module} does not compile", file=sys.stderr)
        json.dump(self.dropped, open(done, "w"))

    def adapted(self, text):
        """An interface of Linux for Apple's systems. Bodies need not be right, only compile."""
        text = re.sub(r"-target [\w.-]+", "-target " + self.triple, text, count=1)
        text = re.sub(r"^import Glibc\n", "", text, flags=re.M)
        # Says how a declaration is emitted; @available says where it may be used.
        text = re.sub(r"@backDeployed\([^)]*\)", "", text)
        text = text.replace("_swift_stdlib_gettid()", "UInt32()")
        if "-module-name Swift\n" in text:
            # The compiler wants to know this type before it passes variables as pointers.
            text += "\n@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> {}\n"
        return re.sub(r"self = _stdlib_\w+l\(.*\)", "fatalError()", text)

    def compile_interface(self, module, text, must=True):
        path = os.path.join(self.folder, module + ".swiftinterface")
        with open(path, "w") as file:
            file.write(text)
        result = self.frontend(
            "-compile-module-from-interface", path, "-module-name", module,
            *(["-parse-stdlib"] if module == "Swift" else []),
            "-o", os.path.join(self.folder, module + ".swiftmodule"))
        if must and result.returncode != 0:
            fail(f"the interface of {module} does not compile for {self.triple}:\n{result.stderr[-3000:]}")
        return path, result

    def build_synthesized(self, module, parts, imports):
        """Compiles the printed declarations as an interface, without those that have errors."""
        printed = [self.toolchain.synthesized(part) for part in parts]
        if None in printed:
            print(f"note: {module} cannot be checked: this toolchain does not have it", file=sys.stderr)
            return
        header = [
            "// swift-interface-format-version: 1.0",
            "// swift-compiler-version: " + self.toolchain.version,
            f"// swift-module-flags: -target {self.triple} -enable-library-evolution -swift-version 5"
            f" -enable-experimental-feature Lifetimes -module-name {module}",
            *imports,
        ]
        lines = header + self.as_interface("\n".join(printed)).split("\n")
        if module == "Foundation":
            lines += MISSING.split("\n")
            self.add_availability(lines)
        for _ in range(20):
            path, result = self.compile_interface(module, "\n".join(lines), must=False)
            if result.returncode == 0:
                return
            errors = re.findall(rf"^{re.escape(path)}:(\d+):\d+: error: (.*)", result.stderr, re.M)
            errors = {int(number) - 1: why for number, why in errors if int(number) > len(header)}
            if not errors:
                fail(f"{module} does not compile for {self.triple}:\n{result.stderr[-3000:]}")
            for place, why in sorted(errors.items()):
                self.drop(module, lines, place, why)
        fail(f"{module} does not compile for {self.triple}")

    @staticmethod
    def as_interface(text):
        """The declarations that `swift-synthesize-interface` prints, in the form of an interface."""
        text = re.sub(r"^\s*///.*\n|^import .*\n", "", text, flags=re.M)
        text = re.sub(r"\b(?:private|internal|fileprivate|package)\(set\) ", "", text)
        text = re.sub(r"@(?:inlinable|_alwaysEmitIntoClient|_transparent|usableFromInline|frozen) ?", "", text)
        text = re.sub(r"@backDeployed\([^)]*\) ?", "", text)
        text = re.sub(r"^((?!\s*@available).*\bsubscript\b[^{\n]*[^{\s])$", r"\1 { get set }", text, flags=re.M)
        text = re.sub(r"\blet (\w+: [^={\n]*\{ get \})", r"var \1", text)
        text = re.sub(r"(: (?:Raw|UTF8)?Span\b[^{\n]*\{) get \}", r"\1 @_lifetime(borrow self) get }", text)
        text = re.sub(
            r"(: Mutable(?:Raw)?Span\b[^{\n]*\{) mutating get \}", r"\1 @_lifetime(&self) mutating get }", text)
        text = re.sub(
            r"^public typealias NSRange$", "public struct NSRange : Hashable, Sendable {\n"
            "public var location: Int\npublic var length: Int\npublic init()\n"
            "public init(location: Int, length: Int)\n}", text, flags=re.M)
        # This attribute is not printed.
        text = re.sub(r"^( *)(public init<T, Value>\(_ value: Value, strategy: T\))", r"\1@_disfavoredOverload \2",
                      text, flags=re.M)
        # Inside Date and Decimal, the protocols' names mean nested types.
        text = re.sub(r"(\b\w+ : )((?:Parseable)?FormatStyle|ParseStrategy)\b(?! \{)", r"\1Foundation.\2", text)
        # Types of the C library, which may be absent.
        for name, replacement in (
            ("dispatch_fd_t", "Int32"), ("dispatch_time_t", "UInt64"), ("mode_t", "UInt16"), ("off_t", "Int64"),
        ):
            text = re.sub(rf"\b{name}\b", replacement, text)
        return re.sub(r"\n\n+", "\n", text)

    @staticmethod
    def add_availability(lines):
        depth, owner = 0, ""
        for number, line in enumerate(lines):
            if depth == 0 and line.endswith("{"):
                owner = line
            if depth == 1 and not line.lstrip().startswith("@"):
                for added_owner, member, ios, macos in ADDED:
                    if added_owner in owner and member in line:
                        lines[number] = f"@available(macOS {macos}, iOS {ios}, *) " + line
            depth += line.count("{") - line.count("}")

    def drop(self, module, lines, place, why):
        """Comments out the declaration that starts at a line, with its attributes and members."""
        if lines[place].startswith("//"):
            return
        self.dropped.append((module, lines[place].strip(), why))
        depth, end = 0, place
        while True:
            line = lines[end]
            lines[end] = "//" + line
            depth += line.count("{") - line.count("}")
            end += 1
            if (depth <= 0 and not line.lstrip().startswith("@available")) or end == len(lines):
                break
        while lines[place - 1].lstrip().startswith("@available"):
            place -= 1
            lines[place] = "//" + lines[place]

    def build_stubs(self, waiting, allowed):
        """Compiles the stubs whose imports exist. Library evolution, as in Apple's frameworks."""
        progress = True
        while progress:
            progress = False
            for module, path in list(waiting.items()):
                names = re.findall(r"^\s*(?:@\w+ |public )*import (?:\w+ )?(\w+)", open(path).read(), re.M)
                if any(name in waiting and name != module for name in names):
                    continue
                if "Foundation" in names and "Foundation" not in allowed:
                    continue
                result = self.frontend(
                    "-emit-module", path, "-module-name", module, "-enable-library-evolution",
                    "-suppress-warnings", "-parse-as-library", "-swift-version", "6",
                    "-o", os.path.join(self.folder, module + ".swiftmodule"))
                if result.returncode == 0:
                    del waiting[module]
                    progress = True
                elif allowed:
                    print(result.stderr[-1500:], file=sys.stderr)


# MARK: - The package


class Target:
    def __init__(self, description, folder, platform_name):
        self.name = description["name"]
        self.kind = description["type"]
        self.dependencies = [
            list(dependency.values())[0][0] for dependency in description["dependencies"]
        ]
        self.has_package_access = description.get("packageAccess", True)
        self.sources = self.find_sources(description, folder)
        self.flags = []
        for setting in description["settings"]:
            self.add_setting(setting, platform_name)

    def find_sources(self, description, folder):
        place = description.get("path")
        if place is None:
            place = next(
                (os.path.join(root, self.name) for root in ("Sources", "Source", "src", "srcs")
                 if os.path.isdir(os.path.join(folder, root, self.name))), os.path.join("Sources", self.name))
        place = os.path.join(folder, place)
        excluded = [os.path.realpath(os.path.join(place, path)) for path in description.get("exclude", [])]
        roots = [os.path.join(place, path) for path in description.get("sources") or ["."]]
        found = set()
        for root in roots:
            if root.endswith(".swift"):
                found.add(os.path.normpath(root))
            for parent, _, names in os.walk(root, followlinks=True):
                found.update(os.path.normpath(os.path.join(parent, n)) for n in names if n.endswith(".swift"))
        return sorted(
            path for path in found
            if not any((os.path.realpath(path) + "/").startswith(prefix + "/") for prefix in excluded))

    def add_setting(self, setting, platform_name):
        condition = setting.get("condition") or {}
        names = condition.get("platformNames") or []
        if setting["tool"] != "swift" or (names and platform_name not in names):
            return
        if condition.get("config") == "release":
            return
        (kind, value), = setting["kind"].items()
        value = value.get("_0") if isinstance(value, dict) else value
        if kind == "define":
            self.flags += ["-D", value]
        elif kind == "swiftLanguageMode":
            self.flags += ["-swift-version", value]
        elif kind == "enableUpcomingFeature":
            self.flags += ["-enable-upcoming-feature", value]
        elif kind == "enableExperimentalFeature":
            self.flags += ["-enable-experimental-feature", value]
        elif kind == "defaultIsolation":
            self.flags += ["-default-isolation", "MainActor" if value else "nonisolated"]
        elif kind == "unsafeFlags":
            # Those that matter to the type checker.
            index = 0
            while index < len(value):
                if value[index] in ("-Xcc", "-Xfrontend", "-D") and index + 1 < len(value):
                    self.flags += value[index : index + 2]
                    index += 1
                elif value[index] == "-Xllvm":
                    index += 1
                elif re.match(r"-(D|enable-|disable-)", value[index]) and "batch-mode" not in value[index]:
                    self.flags.append(value[index])
                index += 1


class Package:
    def __init__(self, toolchain, folder, architecture, platform_name):
        self.folder = os.path.abspath(folder)
        description = self.describe(toolchain, architecture)
        self.name = re.sub(r"\W", "_", description["name"].lower())
        self.targets = {
            target["name"]: Target(target, self.folder, platform_name) for target in description["targets"]
        }
        self.products = description["products"]

    def describe(self, toolchain, architecture):
        """The manifest's contents. Its `#if arch(...)` asks for this machine's processor, so names
        are exchanged if another one is checked."""
        text = open(os.path.join(self.folder, "Package.swift")).read()
        host = {"aarch64": "arm64", "amd64": "x86_64"}.get(platform.machine(), platform.machine())
        if architecture != host:
            other = {host: architecture, architecture: host}
            text = re.sub(r"\barch\((\w+)\)", lambda match: f"arch({other.get(match[1], match[1])})", text)
        with tempfile.TemporaryDirectory() as copy:
            with open(os.path.join(copy, "Package.swift"), "w") as file:
                file.write(text)
            result = run([toolchain.tool("swift"), "package", "--package-path", copy, "dump-package"])
        if result.returncode != 0:
            fail("the manifest cannot be read:\n" + result.stderr)
        return json.loads(result.stdout)

    def reached(self, names):
        """The targets that some targets need, each after those that it needs itself."""
        order = []

        def visit(name):
            target = self.targets.get(name)
            if target is None or target in order or target.kind in ("plugin", "macro", "binary", "system"):
                return
            for dependency in target.dependencies:
                visit(dependency)
            order.append(target)

        for name in names:
            visit(name)
        return order

    def library_targets(self):
        return [name for product in self.products if "library" in product["type"] for name in product["targets"]]


# MARK: - The check


Finding = collections.namedtuple("Finding", "file line column what")


class Report:
    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.versions = {}  # finding: {system: version}
        self.modules = collections.defaultdict(set)
        self.others = collections.OrderedDict()  # other errors, which may hide findings: modules
        self.ignored = set()

    def add(self, module, text):
        for line in text.splitlines():
            match = DIAGNOSTIC.match(line)
            if not match:
                if line.startswith("<unknown>:0: error:"):
                    self.others.setdefault(line, set()).add(module)
                continue
            # Links to the same file are one file.
            path = os.path.relpath(os.path.realpath(match["file"]), self.folder)
            newer = FINDING.match(match["text"])
            if newer:
                finding = Finding(path, int(match["line"]), int(match["column"]), newer["what"])
                self.versions.setdefault(finding, {})[newer["os"]] = re.sub(r"\.0$", "", newer["version"]) \
                    if newer["version"].count(".") > 1 else newer["version"]
                self.modules[finding].add(module)
            else:
                where = f"{path}:{match['line']}:{match['column']}: {match['text']}"
                self.others.setdefault(where, set()).add(module)

    def needs(self, finding):
        return ", ".join(f"{system} {version}" for system, version in sorted(self.versions[finding].items()))

    def show(self, list_all):
        if list_all:
            for finding in sorted(self.versions):
                modules = ", ".join(sorted(self.modules[finding]))
                print(f"{finding.file}:{finding.line}:{finding.column}: {finding.what}: "
                      f"{self.needs(finding)} [{modules}]")
        table = collections.defaultdict(list)
        for finding in self.versions:
            table[re.sub(r"^(setter for|cannot pass as inout because setter for) ", "", finding.what)].append(finding)
        if table:
            print(f"\n{'uses':>5} {'files':>5}  symbol or feature: needs [modules]")
        for what, findings in sorted(table.items(), key=lambda item: -len(item[1])):
            files = {finding.file for finding in findings}
            modules = set().union(*(self.modules[finding] for finding in findings))
            needs = sorted({need for finding in findings for need in self.needs(finding).split(", ")})
            print(f"{len(findings):>5} {len(files):>5}  {what}: {', '.join(needs)} [{', '.join(sorted(modules))}]")
        if self.others:
            print(f"\n{len(self.others)} other errors. Some code was not checked, or overloads are missing:",
                  file=sys.stderr)
            for where, modules in self.others.items():
                print(f"  {where} [{', '.join(sorted(modules))}]", file=sys.stderr)
        files = {finding.file for finding in self.versions}
        print(f"\n{len(self.versions)} uses in {len(files)} files need newer systems")


def check(apple, package, targets, system, version, report, jobs, log):
    """Compiles libraries without regard to availability, so that others can import them. Then asks
    the compiler for the errors of each module."""
    triple = f"{apple.triple.split('-')[0]}-apple-{system}{version}"
    swiftc = apple.toolchain.tool("swiftc")
    with tempfile.TemporaryDirectory() as folder:
        common = [*apple.flags(triple), "-I", folder, "-parse-as-library", "-wmo", "-diagnostic-style=llvm",
                  "-suppress-warnings", "-no-color-diagnostics"]

        def command(target, *more):
            names = ["-module-name", target.name]
            if target.has_package_access:
                names += ["-package-name", package.name]
            return [swiftc, *more, *common, *target.flags, *names, *target.sources]

        for target in (target for target in targets if target.kind != "executable"):
            log(f"{system}: compiles {target.name}")
            result = run(command(
                target, "-emit-module", "-emit-module-path", f"{folder}/{target.name}.swiftmodule",
                "-Xfrontend", "-disable-availability-checking",
                "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies"))
            if result.returncode != 0:
                report.add(target.name, result.stderr)
                if "error:" not in result.stderr:
                    report.others.setdefault(result.stderr[-500:], set()).add(target.name)
        log(f"{system}: checks {len(targets)} modules")
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results = pool.map(lambda target: run(command(target, "-typecheck")), targets)
            for target, result in zip(targets, results):
                report.add(target.name, result.stderr)
                if result.returncode != 0 and "error:" not in result.stderr:
                    report.others.setdefault(result.stderr[-500:], set()).add(target.name)


def main():
    options = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog="Limits and details: see the head of this file.")
    options.add_argument("--package", default=".", help="the package's folder (default: this one)")
    options.add_argument("--ios", help="the oldest version of iOS, such as 16.0")
    options.add_argument("--macos", help="the oldest version of macOS, such as 13.0")
    options.add_argument("--targets", help="the targets to check with those that they need, separated by "
                         "commas (default: those of library products)")
    options.add_argument("--files", nargs="+", help="check these files as one module instead of the package")
    options.add_argument("--ios-architecture", default="arm64")
    options.add_argument("--macos-architecture", default="x86_64")
    options.add_argument("--stubs", help="folder of declarations of Apple's frameworks")
    options.add_argument("--cache", default=os.path.expanduser("~/.cache/swift-availability"))
    options.add_argument("--jobs", type=int, default=1, help="compilers at a time (default: 1)")
    options.add_argument("--summary", action="store_true", help="print only the table")
    options.add_argument("--dropped", action="store_true", help="also list the declarations of Foundation "
                         "and Dispatch that are missing because they do not compile")
    arguments = options.parse_args()
    if not (arguments.ios or arguments.macos):
        options.error("give --ios or --macos, or both")

    toolchain = Toolchain()
    stubs = arguments.stubs or os.path.join(arguments.package, "Tests", "Apple", "Stubs")
    stubs = stubs if os.path.isdir(stubs) else None
    report = Report(arguments.package)
    log = lambda text: print(text, file=sys.stderr, flush=True)

    for system, version, architecture, platform_name in (
        ("ios", arguments.ios, arguments.ios_architecture, "ios"),
        ("macosx", arguments.macos, arguments.macos_architecture, "macos"),
    ):
        if not version:
            continue
        apple = AppleModules(toolchain, system, architecture, stubs, arguments.cache)
        log(f"{system}: modules for {apple.triple} in {apple.folder}")
        apple.build()
        if arguments.dropped:
            for module, declaration, why in apple.dropped:
                print(f"missing in {module}: {declaration} ({why})")
        if arguments.files:
            target = Target({"name": "Files", "type": "regular", "dependencies": [], "settings": [],
                             "path": "/nonexistent"}, "/", platform_name)
            target.sources = [os.path.abspath(path) for path in arguments.files]
            target.flags = ["-swift-version", "6"]
            package, targets = argparse.Namespace(name="files"), [target]
        else:
            package = Package(toolchain, arguments.package, architecture, platform_name)
            names = arguments.targets.split(",") if arguments.targets else package.library_targets()
            targets = package.reached(names)
        check(apple, package, targets, system, version, report, arguments.jobs, log)

    report.show(list_all=not arguments.summary)
    sys.exit(2 if report.others else 1 if report.versions else 0)


if __name__ == "__main__":
    main()
