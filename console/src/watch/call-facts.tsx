import { useEffect } from "react";

import { outcomeOf, partiesInWords } from "../conversation/call-outcome.ts";
import { useStore } from "../use-store.ts";
import type { WatchedCall } from "./watched-call.ts";

interface CallFactsProps {
  readonly sessionId: string;
  readonly watched: WatchedCall;
}

/** Rows of a list of facts: who calls whom, and what became of the call. */
export function CallFacts({ sessionId, watched }: CallFactsProps) {
  const { call, problem } = useStore(watched.store);
  useEffect(() => watched.watch(sessionId), [watched, sessionId]);
  if (call === undefined)
    return problem === undefined ? null : (
      <div>
        <dt>Call</dt>
        <dd>could not be read. {problem}</dd>
      </div>
    );
  return (
    <>
      <div>
        <dt>Call</dt>
        <dd>{partiesInWords(call)}</dd>
      </div>
      <div>
        <dt>Outcome</dt>
        <dd>{outcomeOf(call).text}</dd>
      </div>
    </>
  );
}
