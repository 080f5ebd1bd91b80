/** The messages between the voice model and its threads. */

export interface SmartTurnWorkerData {
  readonly modelFile: string;
  /** The file of an ONNX runtime, as a URL. */
  readonly runtime: string;
}

export interface ToSmartTurnWorker {
  readonly job: number;
  /** 16 kHz. */
  readonly samples: Int16Array;
}

export type FromSmartTurnWorker =
  | { readonly type: "judged"; readonly job: number; readonly probability: number }
  | { readonly type: "failed"; readonly job: number; readonly reason: string };
