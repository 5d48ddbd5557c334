//===--- PackageVersion.swift - the version of this package ---------------===//
//
// The only place with the version: programs, libraries and packages read it, and `.ci/lib/version`
// prints it. Versions follow semver.org.
//===----------------------------------------------------------------------===//

/// The version of this package: the tag of its release, or of the next one.
package let packageVersion: StaticString = "1.0.0"
