import { useState } from "react";

import type { ModelRequest } from "../api/service-api.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { SteadyButton } from "../components/steady-button.tsx";
import { useOpenDialog } from "../components/use-open-dialog.ts";
import { displayName } from "../display-name.ts";
import type { RequestsState } from "./requests-session.ts";

interface PromptDialogProps {
  readonly state: RequestsState;
  /** Indexes of the requests that belong to the answer whose prompt was opened. */
  readonly ofAnswer: readonly number[];
  readonly onClose: () => void;
}

/** What the model was sent, word for word. It is open while it is rendered. */
export function PromptDialog({ state, ofAnswer, onClose }: PromptDialogProps) {
  const dialog = useOpenDialog();
  const [picked, setPicked] = useState<number>();
  const requests = state.kind === "ready" ? state.requests : [];
  const index = picked ?? ofAnswer.at(-1) ?? requests.length - 1;
  const request = requests[index];
  return (
    <dialog ref={dialog} className="dialog prompt-dialog" aria-labelledby="prompt-title" onCancel={onClose}>
      <header>
        <h2 id="prompt-title">Sent to the model</h2>
        {request !== undefined && (
          <>
            <SteadyButton className="pill-button" isOff={index === 0} onClick={() => setPicked(index - 1)}>
              Earlier
            </SteadyButton>
            <span className="hint">
              {index + 1} of {requests.length}
            </span>
            <SteadyButton
              className="pill-button"
              isOff={index >= requests.length - 1}
              onClick={() => setPicked(index + 1)}
            >
              Later
            </SteadyButton>
          </>
        )}
        <button type="button" className="pill-button" onClick={onClose}>
          Close
        </button>
      </header>
      {state.kind === "loading" && <p role="status">Loading…</p>}
      {state.kind === "failed" && (
        <p className="field-problem" role="alert">
          {state.problem}
        </p>
      )}
      {state.kind === "ready" && request === undefined && <p className="hint">No model was sent anything yet.</p>}
      {request !== undefined && <SentRequest key={index} request={request} />}
    </dialog>
  );
}

function SentRequest({ request }: { readonly request: ModelRequest }) {
  const { messages, tools, settings, is_too_long: isTooLong } = request;
  return (
    <div className="prompt" tabIndex={0} role="region" aria-label="The request">
      <p className="hint">
        {factsOf(request).join(" · ")}{" "}
        <CopyButton label="Copy as JSON" text={() => JSON.stringify(request, undefined, 2)} />
      </p>
      {isTooLong === true && <p className="hint">It was longer than is stored: 200,000 characters.</p>}
      {messages.map(({ role, content, ...others }, index) => (
        // The same message may have been sent twice.
        <section key={index} className={`prompt-message prompt-${role}`}>
          <h3>{role}</h3>
          {content !== "" && <pre>{content}</pre>}
          {Object.keys(others).length > 0 && <pre>{JSON.stringify(others, undefined, 2)}</pre>}
        </section>
      ))}
      {tools.length > 0 && (
        <details className="fold">
          <summary>
            {tools.length === 1 ? "One tool" : `${tools.length} tools`}: {tools.map(({ name }) => name).join(", ")}
          </summary>
          <pre>{JSON.stringify(tools, undefined, 2)}</pre>
        </details>
      )}
      <details className="fold">
        <summary>Settings</summary>
        <pre>{JSON.stringify(settings, undefined, 2)}</pre>
      </details>
    </div>
  );
}

function factsOf({ at, agent, model, outcome, first_event_ms: first, took_ms: took, usage }: ModelRequest): string[] {
  const { inputTokens, outputTokens } = usage ?? {};
  return [
    new Date(at).toLocaleTimeString(),
    agent == null ? [] : displayName(agent),
    model ?? [],
    outcome,
    first == null ? [] : `first token after ${Math.round(first)} ms`,
    took == null ? [] : `whole after ${Math.round(took)} ms`,
    typeof inputTokens === "number" ? `${inputTokens.toLocaleString()} tokens in` : [],
    typeof outputTokens === "number" ? `${outputTokens.toLocaleString()} out` : [],
  ].flat();
}
