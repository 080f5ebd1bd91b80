/** Which requests to models belong to which answer: each to the first of its agent that began after it was sent. Pure. */
import type { ModelRequest } from "../api/service-api.ts";
import type { Entry } from "./conversation-view.ts";

/** Maps the id of an answer's entry to indexes into `requests`. Requests that no answer followed are left out. */
export function requestsOfTurns(
  requests: readonly Pick<ModelRequest, "at" | "agent">[],
  entries: readonly Entry[],
): ReadonlyMap<number, readonly number[]> {
  const answers = entries.filter(({ kind }) => kind === "agent");
  const found = new Map<number, number[]>();
  for (const [index, { at, agent }] of requests.entries()) {
    const later = answers.filter((entry) => Date.parse(entry.at) >= Date.parse(at));
    // One that only called tools, and handed over, has no answer of its own.
    const answer = later.find((entry) => entry.kind === "agent" && entry.agent === agent) ?? later[0];
    if (answer !== undefined) found.set(answer.id, [...(found.get(answer.id) ?? []), index]);
  }
  return found;
}
