/** The messages between the open recogniser and its worker threads. */

/** The rate that the model was trained at. */
export const openRateHz = 16_000;

export interface ToOpenWorker {
  readonly job: number;
  readonly samples: Int16Array;
}

export type FromOpenWorker =
  | { readonly type: "recognised"; readonly job: number; readonly text: string }
  | { readonly type: "failed"; readonly job: number; readonly reason: string };
