/** Why a recording cannot be played, and what to do, in a sentence or two. */
import { ApiProblem, describeProblem, isUnreachable } from "../api/api-problem.ts";

/** The file broke off after it had begun to arrive. */
class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

/** What arrived is another kind of file: a proxy's page, for example. */
export class NoWavFile extends Error {
  override readonly name = "NoWavFile";
}

/** A WAV file without sound: nothing of a conversation that has just begun has reached the storage. */
export class NothingRecorded extends Error {
  override readonly name = "NothingRecorded";
}

export function recordingProblem(error: unknown): string {
  if (error instanceof NoWavFile)
    return "What was answered is no WAV file; a proxy before the service may have answered instead. If it does so again, reload the page.";
  if (error instanceof NothingRecorded) return "Nothing has been stored of it yet: that takes a few seconds.";
  if (error instanceof BrokenOff) return "The connection broke while it was loading.";
  if (error instanceof ApiProblem && error.status === 404)
    return "It is not in the storage: it was deleted, or could not be written. The System page says whether recordings can be stored.";
  return describeProblem(error);
}

/** Turns what ended the body of a response that had started into an error of its own, if the connection broke. */
export function whileLoading(error: unknown): unknown {
  return isUnreachable(error) ? new BrokenOff("the body ended early", { cause: error }) : error;
}

/** Shown when the browser's own player gave up. */
export const playerProblem =
  "This browser cannot play it. Download it, and play it with another program, or load the page again.";
