//===--- LiveObjects.swift - an app that tracks objects in camera frames --===//
//
// Contract  For a phone held upright. Its Info.plist must state why the app uses the camera
//           (`NSCameraUsageDescription`).
//===----------------------------------------------------------------------===//

import AVFoundation
import MartletMLKit
import Observation
import SwiftUI

@main
struct LiveObjects: App {
  var body: some Scene {
    WindowGroup { LiveView() }
  }
}

/// The result of the last frame.
@MainActor @Observable
final class Findings {
  var objects: [Object] = []
  /// The upright frame's width and height.
  var frameSize = CGSize.zero
  var names: String { objects.compactMap(\.labels.first?.text).joined(separator: ", ") }
}

/// The camera's image with a box around each object, and the objects' names below it.
struct LiveView: View {
  @State private var findings = Findings()
  @State private var camera = Camera()

  var body: some View {
    CameraPreview(session: camera.session)
      .overlay { Boxes(findings: findings) }
      .ignoresSafeArea()
      .overlay(alignment: .bottom) { Text(findings.names).padding() }
      .task {
        if await AVCaptureDevice.requestAccess(for: .video) { camera.start(showing: findings) }
      }
  }
}

/// A box around each object of a frame that fills the view.
struct Boxes: View {
  let findings: Findings

  var body: some View {
    GeometryReader { view in
      let transform = OverlayTransform(
        imageSize: findings.frameSize, viewSize: view.size, contentMode: .fill)
      ForEach(findings.objects, id: \.self) { object in
        let box = transform.viewRect(object.uprightFrame)
        Rectangle().stroke(Color.yellow, lineWidth: 3)
          .frame(width: box.size.width, height: box.size.height)
          .position(x: box.midX, y: box.midY)
      }
    }
  }
}

/// The camera and the detector. Unchecked because everything except `start` runs on `queue`.
final class Camera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  let session = AVCaptureSession()
  private let queue = DispatchQueue(label: "camera")
  private var findings: Findings?
  private let detector: ObjectDetector = {
    let options = ObjectDetectorOptions()  // .stream, one object
    options.shouldEnableClassification = true
    return .objectDetector(options: options)
  }()

  func start(showing findings: Findings) {
    queue.async { [self] in
      self.findings = findings
      try? configure()
      session.startRunning()
    }
  }

  private func configure() throws {
    guard
      let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back)
    else { return }
    let input = try AVCaptureDeviceInput(device: device)
    let output = AVCaptureVideoDataOutput()  // drops late frames
    output.setSampleBufferDelegate(self, queue: queue)
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .vga640x480
    guard session.canAddInput(input), session.canAddOutput(output) else { return }
    session.addInput(input)
    session.addOutput(output)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let image = MLImage(sampleBuffer: sampleBuffer) else { return }
    image.orientation = imageOrientation(deviceOrientation: .portrait, cameraPosition: .back)
    guard let objects = try? detector.results(in: image) else { return }
    // The sensor's frames are wide; upright ones are tall.
    let size = CGSize(width: image.height, height: image.width)
    Task { @MainActor [findings] in
      findings?.objects = objects
      findings?.frameSize = size
    }
  }
}

/// Puts a `PreviewView` on a SwiftUI screen.
struct CameraPreview: UIViewRepresentable {
  let session: AVCaptureSession

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView(frame: .zero)
    view.connect(to: session)
    return view
  }

  func updateUIView(_ view: PreviewView, context: Context) {}
}

/// The camera's image, which fills the view.
final class PreviewView: UIView {
  override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
  private var preview: AVCaptureVideoPreviewLayer? { layer as? AVCaptureVideoPreviewLayer }

  func connect(to session: AVCaptureSession) {
    preview?.session = session
    preview?.videoGravity = .resizeAspectFill
  }
}
