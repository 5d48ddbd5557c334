/** A box in pixels of the upright image, from its upper left corner. */
export interface Frame { x: number; y: number; width: number; height: number }

/** A place in pixels of the upright image. */
export type Point = [x: number, y: number];

/** What an object may be, with a confidence of 0...1. `index` is the class among the classifier's own. */
export interface Label { text: string; index: number; confidence: number }

/** An object. Objects are sorted by decreasing salience. */
export interface DetectedObject {
  frame: Frame;
  /** How sure the detector is, 0...1. */
  score: number;
  /** The object's number from frame to frame of a tracker; `null` in an image. */
  trackingID: number | null;
  /** Only with `labels: "coarse"` or `"fine"`. */
  category?: "fashion" | "food" | "home" | "places" | "plants" | "unknown";
  labels: Label[];
  /** Everyday names, the most confident first: at most 5, each with a confidence of at least 0.3. If no name has 0.6,
   * the first may be a hypernym that has, such as `Fruit`. Only with `labels: "fine"`; in a tracker, once the object has
   * been classified. */
  fineLabels?: Label[];
}

/** A face. Faces are sorted by decreasing salience. Left and right are the subject's. Parts that were not
 * requested or are not visible are absent. */
export interface Face {
  frame: Frame;
  /** How sure the detector is, 0...1. */
  score: number;
  /** The face's number from frame to frame of a tracker; `null` in an image. */
  trackingID: number | null;
  /** Degrees by which the head is turned up, to the right of the image, counter-clockwise. */
  eulerX?: number;
  eulerY?: number;
  eulerZ?: number;
  smilingProbability?: number;
  leftEyeOpenProbability?: number;
  rightEyeOpenProbability?: number;
  /** By ML Kit's names: `leftEye`, `mouthBottom` … */
  landmarks?: Record<string, Point>;
  /** By ML Kit's names: `face`, `upperLipTop` … */
  contours?: Record<string, Point[]>;
  /** 468 points by MediaPipe's numbers; z grows away from the viewer. */
  mesh?: [x: number, y: number, z: number][];
}

interface Result {
  /** The name of the File, or the call's `name`; else empty. */
  image: string;
  /** The number of a tracker's frame, from 0. */
  frame?: number;
  /** Size of the upright image in pixels. */
  width: number;
  height: number;
  /** Damage in the file despite which it was decoded; absent for intact files. */
  warnings?: string[];
}

/** The line that `martlet detect --json` prints of the same image. */
export interface ObjectResult extends Result { objects: DetectedObject[] }

/** The line that `martlet faces --json` prints of the same image. */
export interface FaceResult extends Result { faces: Face[] }

/** What all options share. What is left out is as the tool `martlet` has it. An option without effect is refused. */
export interface DecodingOptions {
  /** Whether damage in a file is an error instead of a warning. */
  strict?: boolean;
  /** MiB of memory for decoding a file. */
  maxMemory?: number;
  /** Whether all pixels of large files are decoded. */
  fullResolution?: boolean;
  /** Whether colors are converted to sRGB. Default: true. */
  colorConversion?: boolean;
  /** The most seconds for an image, and for preparing the networks. Default: no limit. */
  timeout?: number;
}

export interface ObjectOptions extends DecodingOptions {
  /** The largest number of objects. Default: 1, the most prominent one. */
  limit?: number;
  /** `"coarse"` for one of five categories, `"fine"` for everyday names such as person, dog or banana, too; or the
   * names of the classes of `classifier`, or else of `detector`. Default: no labels. */
  labels?: "coarse" | "fine" | string[];
  /** Least score of an object, 0...1. Default: 0.25 for several objects of an image, 0.03 for one, and from 0.08 to 0.25
   * in a tracker. Nothing that scores less is returned. */
  minScore?: number;
  /** The part of each upright image to examine: x, y, width and height in pixels. */
  region?: [x: number, y: number, width: number, height: number];
  /** Least confidence of a label, 0...1. Only with `labels` or `classifier`. */
  threshold?: number;
  /** A classifier's `.tflite` file in place of the built-in one. */
  classifier?: Blob | ArrayBuffer | Uint8Array;
  /** Report only objects with these labels. Only with `labels`, `classifier` or `detector`. */
  allowLabels?: string[];
  /** Report no objects with these labels. Not with `allowLabels`. */
  denyLabels?: string[];
  /** Only with `classifier`, as the following ones. */
  maxLabels?: number;
  dropBackground?: boolean;
  mean?: number[];
  std?: number[];
  /** A detector's `.tflite` file in place of the built-in one; `mean` and `std` apply to it without `classifier`. */
  detector?: Blob | ArrayBuffer | Uint8Array;
  /** What the detector's outputs mean, such as "yolov8". Default: "automatic", recognized from the file. */
  detectorHead?: string;
  /** The share of the union of two boxes, 0...1, above which the detector's lower-scoring one is dropped. */
  overlap?: number;
  /** Widths and heights of the anchors of the head "grid" in pixels of the detector's input, finest grid first. */
  anchors?: number[];
  /** Whether the first channel of the detector's input is blue. */
  bgr?: boolean;
}

export interface ObjectDetectorOptions extends ObjectOptions {
  /** Whether parts of better boxes and doubtful boxes of the whole image are returned, too. Only with `limit`, not with
   * `detector`. */
  allBoxes?: boolean;
}

export interface FaceOptions extends DecodingOptions {
  /** The largest number of faces. Default: all. */
  limit?: number;
  mode?: "fast" | "accurate";
  landmarks?: boolean;
  /** Of the most prominent face. */
  contours?: boolean;
  /** Of all faces. */
  allContours?: boolean;
  /** Smiles and open eyes. */
  classify?: boolean;
  mesh?: boolean;
  /** Least width of a face as a share of the image's, 0...1 (default 0). Under 0.05, "accurate" also looks in
   * parts of the image. */
  minFaceSize?: number;
  /** Least score of a face, 0...1; 0.4 unless given. */
  minScore?: number;
}

export interface StreamOptions {
  /** The number of frames from one detection to the next. Default: 1 for objects, 5 for faces. */
  detectEvery?: number;
  /** The number of frames after which a lost object or face is forgotten. */
  keepLost?: number;
}

export interface ObjectTrackerOptions extends ObjectOptions, StreamOptions { faces?: false }

export interface FaceTrackerOptions extends FaceOptions, StreamOptions {
  faces: true;
  /** Whether points are smoothed, as they are unless this is false. */
  smoothing?: boolean;
}

/** RGBA pixels row by row, without padding, such as ImageData. Alpha is ignored. */
export interface Pixels { data: Uint8Array | Uint8ClampedArray; width: number; height: number }

/** An image: a file or its bytes (JPEG, PNG, WebP, GIF, TIFF, BMP, PNM, or what the browser reads), pixels, or in browsers
 * whatever `createImageBitmap` takes. It is copied when the call is made. */
export type ImageSource = Blob | ArrayBuffer | Uint8Array | Pixels
  | (typeof globalThis extends { createImageBitmap(image: infer Source, ...rest: any[]): any } ? Source : never);

export interface CallOptions {
  /** Rejects the call with the signal's reason. If the call is running, its worker ends and another one starts, in which a
   * tracker begins anew. */
  signal?: AbortSignal;
}

export interface ImageCallOptions extends CallOptions {
  /** The result's `image`. */
  name?: string;
}

/** What a caller decides on. `loadFailed`: a file of the package or a Blob cannot be read. */
export type ErrorKind = "invalidArgument" | "invalidOptions" | "invalidImage" | "unsupportedImage" | "invalidModel"
  | "unsupportedModel" | "limitExceeded" | "deadlineExceeded" | "failed" | "loadFailed";

/** Why a call failed. `cause` is the error of the browser or of node, if there is one. */
export class MartletError extends Error {
  constructor(message: string, options?: { kind?: ErrorKind; cause?: unknown });
  kind: ErrorKind;
}

declare global {
  interface SymbolConstructor { readonly dispose: unique symbol }
}

/** Something that works in a worker of its own, which starts with the first call. Calls run one after another. A call that
 * fails rejects with a `MartletError`; the next one works. */
interface Session {
  /** Starts the worker and prepares the networks, which the first call does otherwise. Rejects if an option or a model is
   * invalid. */
  prepare(options?: CallOptions): Promise<void>;
  /** Ends the worker and frees its memory. Calls that have not finished reject. */
  close(): void;
  [Symbol.dispose](): void;
}

/** Detects objects in images. */
export interface ObjectDetector extends Session {
  detect(image: ImageSource, options?: ImageCallOptions): Promise<ObjectResult>;
}
export const ObjectDetector: { new (options?: ObjectDetectorOptions): ObjectDetector };

/** Detects faces in images. */
export interface FaceDetector extends Session {
  detect(image: ImageSource, options?: ImageCallOptions): Promise<FaceResult>;
}
export const FaceDetector: { new (options?: FaceOptions): FaceDetector };

/** Tracks objects, or faces with `faces: true`, in the frames of a video, in which they keep their `trackingID`. After an
 * error of kind `deadlineExceeded` or `failed` the numbers of frames and objects begin anew. */
export interface Tracker<Result = ObjectResult> extends Session {
  /** Tracks in the next frame. */
  update(frame: ImageSource, options?: ImageCallOptions): Promise<Result>;
  /** The result of each frame. Ends at the first error. */
  track(frames: Iterable<ImageSource> | AsyncIterable<ImageSource>, options?: CallOptions): AsyncGenerator<Result, void>;
}
export const Tracker: {
  new (options: FaceTrackerOptions): Tracker<FaceResult>;
  new (options?: ObjectTrackerOptions): Tracker;
};

export interface BoxTrackerOptions {
  /** The largest number of objects that are returned, the most salient ones. Default: all. */
  limit?: number;
  /** The lowest score of a returned object, 0...1. Default: 0. */
  minScore?: number;
  /** The score of a box that starts an object, 0...1. Default: 0.6. */
  startScore?: number;
  /** The lowest score of a box that continues an object, 0...1. Default: 0.1. */
  lowScore?: number;
  /** The number of frames for which a lost object keeps its `trackingID`. Default: 30. */
  keepLost?: number;
}

/** A box in pixels: x, y, width, height, score and perhaps the index of its class. */
export type BoxNumbers = [x: number, y: number, width: number, height: number, score: number, index?: number];

/** Tracks the boxes that any detector finds in the frames of a video. */
export interface ObjectTracker extends Session {
  /** The objects in sight in the next frame, by decreasing salience, with smoothed boxes. Pass all boxes from a low score
   * on, after suppression of overlapping ones. The frame's pixels (no file) tell objects that look different apart; with
   * its size alone, boxes are tracked by their places. A frame of another size removes all objects. */
  update(
    boxes: Iterable<BoxNumbers | DetectedObject>,
    frame: Exclude<ImageSource, Blob | ArrayBuffer | Uint8Array> | { width: number; height: number }, options?: CallOptions,
  ): Promise<DetectedObject[]>;
  /** The objects in a frame in which the detector does not run, at their expected places. */
  skip(size: { width: number; height: number }, options?: CallOptions): Promise<DetectedObject[]>;
  /** Removes all objects. Their numbers are not used again. */
  reset(options?: CallOptions): Promise<void>;
}
export const ObjectTracker: { new (options?: BoxTrackerOptions): ObjectTracker };

/** How a tensor's integers stand for real numbers: scale × (integer − zero point). One of each for the whole tensor, or one
 * for each slice along `axis`. */
export interface Quantization { scales: number[]; zeroPoints: number[]; axis: number }

/** An input or output of a model. `type` is `float32`, `uint8` and so on. */
export interface TensorInfo { name: string; type: string; shape: number[]; quantization?: Quantization }

export type TensorData = Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | BigInt64Array | Uint8Array
  | Uint16Array | Uint32Array | BigUint64Array;

/** An output. `data` is the typed array of `type`: numbers of 16 bits (`float16`, `bfloat16`) are a Uint16Array, types
 * without a typed array are bytes. */
export interface Tensor extends TensorInfo { data: TensorData }

/** An input: its elements, in another shape than the model's own with `shape`. */
export type Input = TensorData | { data: TensorData; shape?: number[] };

export interface ModelOptions {
  /** MiB of memory for tensors. Default: 1024. */
  maxMemory?: number;
  /** The most seconds for preparing the model, and for a run. Default: no limit. */
  timeout?: number;
}

/** A TensorFlow Lite model, with typed arrays as inputs and outputs. Its variables last from run to run, and begin anew
 * after a run was aborted, late or `failed` in the engine. */
export interface Model extends Session {
  describe(options?: CallOptions): Promise<{ inputs: TensorInfo[]; outputs: TensorInfo[] }>;
  /** Runs the model on its inputs, in its order or by name. They are copied when the call is made. */
  run(inputs: Input[] | Record<string, Input>, options?: CallOptions): Promise<Tensor[]>;
}
export const Model: { new (file: Blob | ArrayBuffer | Uint8Array, options?: ModelOptions): Model };

/** Sets where `martlet.wasm` (or what it holds) and `worker.js` are, which are beside `martlet.js` by default. For workers
 * that start afterwards. */
export function configure(places: {
  wasm?: string | URL | ArrayBuffer | Uint8Array
    | (typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never);
  worker?: string | URL;
}): void;
