/** A box in pixels of the upright picture, from its upper left corner. */
export interface Frame { x: number; y: number; width: number; height: number }

/** What an object may be, with a confidence of 0...1. `index` is the class among the classifier's own. */
export interface Label { text: string; index: number; confidence: number }

/** An object; objects come by falling prominence. */
export interface DetectedObject {
  frame: Frame;
  /** How sure the detector is, 0...1. */
  score: number;
  /** The object's number from frame to frame of a stream, or `null` in a picture. */
  trackingID: number | null;
  /** Only from the coarse classifier. */
  category?: "fashion" | "food" | "home" | "places" | "plants" | "unknown";
  labels: Label[];
}

/** The line that `martlet detect --json` prints of the same picture. */
export interface Result {
  image: string;
  /** The number of a stream's frame, from 0. */
  frame?: number;
  width: number;
  height: number;
  objects: DetectedObject[];
}

/** The options of `martlet detect`, by the same names. What is left out is as the tool has it. */
export interface Options {
  multiple?: boolean;
  maxObjects?: number;
  classify?: boolean;
  /** Least confidence of a label, 0...1. */
  threshold?: number;
  maxLabels?: number;
  /** Least score of an object, 0...1. */
  minScore?: number;
  labels?: string[];
  allowLabels?: string[];
  denyLabels?: string[];
  dropBackground?: boolean;
  mean?: number[];
  std?: number[];
  /** Every how many frames of a stream objects are looked for anew. */
  detectEvery?: number;
  /** A classifier's `.tflite` file in place of the shipped one. */
  classifier?: Blob | ArrayBuffer | Uint8Array;
  /** A detector's `.tflite` file in place of the shipped localiser. */
  detector?: Blob | ArrayBuffer | Uint8Array;
}

/** A picture: a file (JPEG, PNG, BMP, PNM, or what the browser reads), its bytes, a bitmap (which is taken
 * and can't be used afterwards), or RGBA pixels row by row. */
export type Source = Blob | Uint8Array | ImageBitmap | ImageData
  | { data: Uint8Array | Uint8ClampedArray; width: number; height: number };

/** Why something could not be done. */
export class MartletError extends Error {}

/** Frames one after another, whose objects keep their numbers. */
export interface Stream {
  detect(frame: Source, name?: string): Promise<Result>;
  dispose(): Promise<boolean>;
}

/** Martlet in a worker of its own. A call that fails rejects with a `MartletError`; the next one works. */
export class Martlet {
  /** Starts the worker. `wasm`: martlet.wasm or where it lies; `worker`: where worker.js lies; both beside the page
   * unless given. */
  static load(options?: { wasm?: ArrayBuffer | URL | string; worker?: URL | string }): Promise<Martlet>;
  detect(source: Source, options?: Options & { name?: string }): Promise<Result>;
  stream(options?: Options): Promise<Stream>;
  /** Ends the worker; calls that wait are rejected. */
  dispose(): void;
}
