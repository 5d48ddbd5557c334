//===--- OverlayTransform.swift - from an image to a view -----------------===//
//
// Contract  Pixels of the upright image, and points of a view that shows it; both have their origin at the
//           top left. Empty sizes and those that are no numbers give a scale of 0.
//===----------------------------------------------------------------------===//

public import Foundation

/// Converts places in an image to places in the view that shows it, to draw boxes over the image.
///
/// ```swift
/// let transform = OverlayTransform(
///   imageSize: CGSize(width: 480, height: 640), viewSize: CGSize(width: 390, height: 844),
///   contentMode: .fill)
/// let uprightFrame = CGRect(x: 120, y: 200, width: 80, height: 60)
/// let box = transform.viewRect(uprightFrame)
/// ```
public struct OverlayTransform: Sendable, Hashable {
  /// How an image of another aspect ratio is shown in a view: centered, as in SwiftUI.
  public enum ContentMode: Sendable, Hashable {
    /// The whole image is visible (`resizeAspect`, `scaleAspectFit`).
    case fit
    /// The image covers the view (`resizeAspectFill`, `scaleAspectFill`).
    case fill
  }

  /// The points of the view for each pixel of the image.
  public let scale: CGFloat
  /// Whether the view shows the image mirrored, as a front camera's preview does.
  public let isMirrored: Bool
  private let width: CGFloat
  private let height: CGFloat
  private let left: CGFloat
  private let top: CGFloat

  /// The transform of an image in a view.
  ///
  /// - Parameters:
  ///   - imageSize: The width and height of the upright image.
  ///   - viewSize: The width and height of the view.
  ///   - contentMode: How the image is shown. Default: `.fit`.
  ///   - isMirrored: Whether left and right are exchanged. Default: `false`.
  public init(
    imageSize: CGSize, viewSize: CGSize, contentMode: ContentMode = .fit, isMirrored: Bool = false
  ) {
    let (across, down) = (viewSize.width / imageSize.width, viewSize.height / imageSize.height)
    let scale = contentMode == .fit ? min(across, down) : max(across, down)
    self.scale = scale.isFinite && scale > 0 ? scale : 0
    self.isMirrored = isMirrored
    (width, height) = (imageSize.width, imageSize.height)
    left = (viewSize.width - width * self.scale) / 2
    top = (viewSize.height - height * self.scale) / 2
  }

  /// The whole image in the view; beyond its edges with `.fill`.
  public var imageRect: CGRect { viewRect(CGRect(x: 0, y: 0, width: width, height: height)) }

  /// A point of the image in the view.
  public func viewPoint(_ point: CGPoint) -> CGPoint {
    let x = isMirrored ? width - point.x : point.x
    return CGPoint(x: left + x * scale, y: top + point.y * scale)
  }

  /// A rectangle of the image in the view, such as `uprightFrame`.
  public func viewRect(_ rect: CGRect) -> CGRect {
    let corner = CGPoint(
      x: isMirrored ? rect.origin.x + rect.size.width : rect.origin.x, y: rect.origin.y)
    let origin = viewPoint(corner)
    return CGRect(
      x: origin.x, y: origin.y, width: rect.size.width * scale, height: rect.size.height * scale)
  }

  /// A point of the view in the image, such as a tap; `nil` if the scale is 0.
  public func imagePoint(_ point: CGPoint) -> CGPoint? {
    guard scale > 0 else { return nil }
    let x = (point.x - left) / scale
    return CGPoint(x: isMirrored ? width - x : x, y: (point.y - top) / scale)
  }
}
