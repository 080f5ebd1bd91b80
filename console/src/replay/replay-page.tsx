/** Loaded when it is opened, together with the turn machine. */
import { useEffect, useState } from "react";

import type { Console } from "../create-console.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { RecordActions } from "./record-actions.tsx";
import { ReplaySession } from "./replay-session.ts";
import type { OpenedRecord } from "./replay-session.ts";
import { StepList } from "./step-list.tsx";
import { StepView } from "./step-view.tsx";

interface ReplayPageProps {
  readonly console: Pick<Console, "readFlightRecord">;
  readonly sessionId: string | undefined;
}

export function ReplayPage({ console: { readFlightRecord }, sessionId }: ReplayPageProps) {
  const [session] = useState(() => new ReplaySession(readFlightRecord));
  useEffect(() => session.load(sessionId), [session, sessionId]);
  const state = useStore(session.store);
  return (
    <main className="page page-replay" aria-label="Replay">
      <header className="panel replay-head">
        {sessionId !== undefined && (
          <a className="replay-back" href={formatRoute({ page: "conversations", sessionId })}>
            Back to the conversation
          </a>
        )}
        <h2 className="replay-title">Replay</h2>
        <p className="hint" role="status">
          {state.kind === "open"
            ? outcomeOf(state)
            : "A recorded conversation, step by step: what happened, what was decided then, and what would be decided today."}
        </p>
        {state.kind === "loading" && <p role="status">Loading…</p>}
        {state.kind === "failed" && (
          <p className="field-problem" role="alert">
            {state.problem}
          </p>
        )}
        {state.kind === "open" ? (
          <RecordActions opened={state} isSession={sessionId !== undefined} />
        ) : (
          <>
            <p className="hint">
              <a href={formatRoute({ page: "conversations", sessionId: undefined })}>Pick a conversation</a>, and follow
              “Step through what was decided”; or open a record that was downloaded.
            </p>
            <RecordFile onText={(text) => session.openText(text)} />
          </>
        )}
      </header>
      {state.kind === "open" && (
        <>
          <StepList opened={state} onSelect={(index) => session.select(index)} />
          <StepView opened={state} onSelect={(index) => session.select(index)} />
        </>
      )}
    </main>
  );
}

function outcomeOf({ steps, differences, failures }: OpenedRecord): string {
  const failed =
    failures.length === 0
      ? ""
      : ` Something failed at ${failures.length === 1 ? "one step" : `${failures.length} steps`}.`;
  if (differences.length === 0) return `${steps.length} steps, and today each is decided as it was then.${failed}`;
  const count = differences.length === 1 ? "one is" : `${differences.length} are`;
  return `${steps.length} steps; ${count} decided differently today, not counting what follows from a difference.${failed}`;
}

function RecordFile({ onText }: { readonly onText: (text: string) => void }) {
  return (
    <label className="record-file">
      <span>Open a record from a file</span>
      <input
        type="file"
        accept=".json,application/json"
        onChange={({ target }) => void target.files?.[0]?.text().then(onText)}
      />
    </label>
  );
}
