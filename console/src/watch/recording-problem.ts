/** Why a recording cannot be played, and what to do, in a sentence or two. */
import { ApiProblem, describeProblem, isUnreachable } from "../api/api-problem.ts";

/** A recording that the page cannot show although the service has answered. The message is the sentence for people. */
export class RecordingProblem extends Error {
  override readonly name = "RecordingProblem";
}

export function recordingProblem(error: unknown): string {
  if (error instanceof RecordingProblem) return error.message;
  if (error instanceof ApiProblem && error.status === 404)
    return "It is not in the storage: it was deleted, or could not be written. The System page says whether recordings can be stored.";
  return describeProblem(error);
}

/** Turns what ended the body of a response that had started into an error of its own, if the connection broke. */
export function whileLoading(error: unknown): unknown {
  return isUnreachable(error)
    ? new RecordingProblem("The connection broke while it was loading.", { cause: error })
    : error;
}

/** Shown when the browser's own player gave up. */
export const playerProblem =
  "This browser cannot play it. Download it, and play it with another program, or load the page again.";
