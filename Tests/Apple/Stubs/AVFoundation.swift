//===--- AVFoundation.swift - what Martlet and the example app use of AVFoundation ===//
//
// Source    https://developer.apple.com/documentation/avfoundation/avcapturedevice, and at the
//           same address avcapturesession, avcapturedeviceinput, avcapturevideodataoutput,
//           avcapturevideodataoutputsamplebufferdelegate and avcapturevideopreviewlayer.
//           Declarations only, for the compiler. The session is not Sendable here, so the app also
//           compiles with an SDK in which it is not.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import CoreMedia
@_exported import QuartzCore
@_exported import Foundation

public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static var video: AVMediaType { fatalError() }
}

open class AVCaptureDevice: NSObject {
  public enum Position: Int, Sendable {
    case unspecified = 0
    case back = 1
    case front = 2
  }

  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var builtInWideAngleCamera: DeviceType { fatalError() }
  }

  open class func `default`(
    _ deviceType: AVCaptureDevice.DeviceType, for mediaType: AVMediaType?,
    position: AVCaptureDevice.Position
  ) -> AVCaptureDevice? { fatalError() }

  open class func requestAccess(for mediaType: AVMediaType) async -> Bool { fatalError() }
}

open class AVCaptureInput: NSObject {}

open class AVCaptureDeviceInput: AVCaptureInput {
  public init(device: AVCaptureDevice) throws { fatalError() }
}

open class AVCaptureOutput: NSObject {}

open class AVCaptureConnection: NSObject {}

open class AVCaptureVideoDataOutput: AVCaptureOutput {
  open var alwaysDiscardsLateVideoFrames: Bool = true
  open func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) { fatalError() }
}

public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

open class AVCaptureSession: NSObject {
  public struct Preset: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var vga640x480: Preset { fatalError() }
  }

  open var sessionPreset = Preset.vga640x480
  open func beginConfiguration() { fatalError() }
  open func commitConfiguration() { fatalError() }
  open func canAddInput(_ input: AVCaptureInput) -> Bool { fatalError() }
  open func addInput(_ input: AVCaptureInput) { fatalError() }
  open func canAddOutput(_ output: AVCaptureOutput) -> Bool { fatalError() }
  open func addOutput(_ output: AVCaptureOutput) { fatalError() }
  open func startRunning() { fatalError() }
  open func stopRunning() { fatalError() }
}

public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static var resizeAspectFill: AVLayerVideoGravity { fatalError() }
}

open class AVCaptureVideoPreviewLayer: CALayer {
  open var session: AVCaptureSession?
  open var videoGravity = AVLayerVideoGravity.resizeAspectFill
}
