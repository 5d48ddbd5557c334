/** A box in pixels of the upright image, from its upper left corner. */
export interface Frame { x: number; y: number; width: number; height: number }

/** What an object may be, with a confidence of 0...1. `index` is the class among the classifier's own. */
export interface Label { text: string; index: number; confidence: number }

/** An object. Objects are sorted by decreasing prominence. */
export interface DetectedObject {
  frame: Frame;
  /** How sure the detector is, 0...1. */
  score: number;
  /** The object's number from frame to frame of a stream, or `null` in an image. */
  trackingID: number | null;
  /** Only from the coarse classifier. */
  category?: "fashion" | "food" | "home" | "places" | "plants" | "unknown";
  labels: Label[];
  /** Everyday names, the most confident first: at most 5, each with a confidence of at least 0.3. Only with the option
   * `fineLabels`; in a stream, once the object has been classified. */
  fineLabels?: Label[];
}

/** The line that `martlet detect --json` prints of the same image. */
export interface Result {
  image: string;
  /** The number of a stream's frame, from 0. */
  frame?: number;
  width: number;
  height: number;
  objects: DetectedObject[];
  /** Damage in the file despite which it was decoded; absent for intact files. */
  warnings?: string[];
}

/** The options of `martlet detect`, by the same names. What is left out is as the tool has it. An option without effect
 * is refused, as in the tool. */
export interface Options {
  multiple?: boolean;
  maxObjects?: number;
  classify?: boolean;
  /** Everyday names of objects, such as person, dog or banana; includes `classify`. Only with the built-in classifier. */
  fineLabels?: boolean;
  /** Least confidence of a label, 0...1. Only with `classify`, `fineLabels` or `classifier`. */
  threshold?: number;
  /** Only with `classifier`, as the following ones of labels and pixels. */
  maxLabels?: number;
  /** Least score of an object, 0...1. Default: 0.25 for several objects of an image, 0.03 for one, and from 0.08 to 0.25
   * in a stream. Nothing that scores less is returned. */
  minScore?: number;
  /** Whether parts of better boxes and doubtful boxes of the whole image are returned, too. Only with `multiple` or
   * `maxObjects`, not with `detector` nor in a stream. */
  allBoxes?: boolean;
  labels?: string[];
  /** Not with `denyLabels`. */
  allowLabels?: string[];
  denyLabels?: string[];
  dropBackground?: boolean;
  mean?: number[];
  std?: number[];
  /** The number of frames of a stream from one detection to the next. Default: 1. Only in a stream. */
  detectEvery?: number;
  /** The number of frames of a stream after which a lost object is forgotten. Only in a stream. */
  keepLost?: number;
  /** The part of each upright image to examine: x, y, width and height in pixels. */
  region?: [x: number, y: number, width: number, height: number];
  /** Whether damage in a file is an error instead of a warning. */
  strict?: boolean;
  /** MiB of memory for decoding a file. */
  maxMemory?: number;
  /** Whether all pixels of large files are decoded. */
  fullResolution?: boolean;
  /** Whether colors are converted to sRGB. Default: true. */
  colorConversion?: boolean;
  /** A classifier's `.tflite` file in place of the shipped one. It is read in each call of `detect`, so it may change;
   * a stream reads it once. */
  classifier?: Blob | ArrayBuffer | Uint8Array;
  /** A detector's `.tflite` file in place of the included localizer. */
  detector?: Blob | ArrayBuffer | Uint8Array;
  /** The most seconds for an image: making the detector, decoding and networks together. Default: no limit. When a
   * call exceeds its limit, its worker ends and another one starts: calls that wait are rejected, too, and streams begin
   * anew. */
  timeout?: number;
}

/** A place in pixels of the upright image. */
export type Point = [x: number, y: number];

/** A face. Faces are sorted by decreasing prominence. Left and right are the subject's. Parts that were not
 * requested or are not visible are absent. */
export interface Face {
  frame: Frame;
  score: number;
  /** The face's number from frame to frame of a stream, or `null` in an image. */
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

/** The line that `martlet faces --json` prints of the same image. */
export interface FaceResult {
  image: string;
  frame?: number;
  width: number;
  height: number;
  faces: Face[];
  /** Damage in the file despite which it was decoded; absent for intact files. */
  warnings?: string[];
}

/** The options of `martlet faces`, by the same names. */
export interface FaceOptions {
  faces: true;
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
  maxFaces?: number;
  /** Whether points are smoothed, as they are unless this is false. Only in a stream. */
  smoothing?: boolean;
  /** As for objects. Only in a stream. */
  detectEvery?: number;
  keepLost?: number;
  /** Whether damage in a file is an error instead of a warning. */
  strict?: boolean;
  /** MiB of memory for decoding a file. */
  maxMemory?: number;
  /** Whether all pixels of large files are decoded. */
  fullResolution?: boolean;
  /** Whether colors are converted to sRGB. Default: true. */
  colorConversion?: boolean;
  /** The most seconds for an image, as for objects. */
  timeout?: number;
}

/** An image: a file (JPEG, PNG, BMP, PNM, or what the browser reads), its bytes, a bitmap (which is taken
 * and can't be used afterwards), or RGBA pixels row by row. */
export type Source = Blob | Uint8Array | ImageBitmap | ImageData
  | { data: Uint8Array | Uint8ClampedArray; width: number; height: number };

/** Why a call failed. `cause` is the browser's own error, if there is one. */
export class MartletError extends Error {
  /** Set if the call took longer than its option `timeout` allows. */
  code?: "deadlineExceeded";
}

/** Frames one after another, whose objects or faces keep their numbers. After an error of the WebAssembly engine (out
 * of memory, for example) the numbers begin anew. */
export interface Stream<R = Result> {
  detect(frame: Source, name?: string): Promise<R>;
  /** Frees the stream's detector, about 9 MiB. A stream is kept until then. */
  dispose(): Promise<boolean>;
}

/** Martlet in a worker of its own. A call that fails rejects with a `MartletError`; the next one works.
 *
 * The worker keeps the detectors of the last four combinations of options and models, about 9 MiB each for the shipped
 * networks, and makes others again when they are needed. Models are compared by their bytes. */
export class Martlet {
  /** Starts the worker. `wasm`: martlet.wasm or where it lies; `worker`: where worker.js lies; both beside the page
   * unless given. */
  static load(options?: { wasm?: ArrayBuffer | URL | string; worker?: URL | string }): Promise<Martlet>;
  detect(source: Source, options: FaceOptions & { name?: string }): Promise<FaceResult>;
  detect(source: Source, options?: Options & { name?: string }): Promise<Result>;
  stream(options: FaceOptions): Promise<Stream<FaceResult>>;
  stream(options?: Options): Promise<Stream>;
  /** Ends the worker; calls that wait are rejected. */
  dispose(): void;
}
