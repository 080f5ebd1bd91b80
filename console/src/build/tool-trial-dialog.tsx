import { useEffect, useId, useState } from "react";
import type { FormEvent } from "react";

import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { SteadyButton } from "../components/steady-button.tsx";
import { useOpenDialog } from "../components/use-open-dialog.ts";
import { useStore } from "../use-store.ts";
import { ArgumentFields } from "./argument-fields.tsx";
import { argumentFields, argumentsFrom } from "./tool-arguments.ts";
import { ToolOutcome } from "./tool-outcome.tsx";
import type { ToolTrialSession, TriedTool } from "./tool-trial-session.ts";
import { changeSentences, describeLimit } from "./describe-tool-trial.ts";
import { TrialCustomer } from "./trial-customer.tsx";
import type { NamedCustomer } from "./trial-customer.tsx";
import { FieldProblem } from "../components/field-problem.tsx";

interface ToolTrialDialogProps {
  readonly session: ToolTrialSession;
  readonly tried: TriedTool;
  /** The made-up customer of this page's conversations. */
  readonly customer: NamedCustomer | undefined;
  readonly onClose: () => void;
}

/** One tool by itself: what it takes, and what it answers. It is open while it is rendered. */
export function ToolTrialDialog({ session, tried, customer, onClose }: ToolTrialDialogProps) {
  const dialog = useOpenDialog();
  const id = useId();
  const { tool } = tried;
  const { description, connection, problem, isRunning, outcome, memory } = useStore(session.store);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [profileId, setProfileId] = useState<string | null | undefined>(customer?.id);
  const [confirmedFor, setConfirmedFor] = useState<typeof outcome>();
  useEffect(() => session.open(tried), [session, tried]);
  const fields = description === undefined ? [] : argumentFields(description.parameters);
  const attempt = (confirmed: boolean): void => {
    if (description === undefined) return;
    session.attempt({ arguments: argumentsFrom(fields, texts), profileId, confirmed });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    attempt(false);
  };
  const asksFor = outcome?.outcome === "needs_confirmation" && outcome !== confirmedFor ? outcome : undefined;
  return (
    <>
      <dialog ref={dialog} className="dialog prompt-dialog tool-trial" aria-labelledby={id} onCancel={onClose}>
        <header>
          <h2 id={id}>
            Try <code>{tool}</code>
          </h2>
          <button type="button" className="pill-button" onClick={onClose}>
            Close
          </button>
        </header>
        <div className="prompt" tabIndex={0} role="region" aria-labelledby={id}>
          {description === undefined && problem === undefined && (
            <p role="status">{connection.kind === "closed" ? describeClosed(connection.detail) : "Asking a host…"}</p>
          )}
          {description !== undefined && (
            <form className="fields" onSubmit={submit}>
              <p>{description.description}</p>
              <p className={description.changes === "nothing" ? "hint" : "banner banner-warning"}>
                {changeSentences[description.changes]}
              </p>
              <p className="hint">{describeLimit(description)}</p>
              <ArgumentFields fields={fields} texts={texts} onChange={setTexts} />
              <TrialCustomer customer={customer} profileId={profileId} onChange={setProfileId} />
              <SteadyButton type="submit" className="pill-button pill-primary" isOff={isRunning}>
                {isRunning ? "Running…" : "Try it"}
              </SteadyButton>
            </form>
          )}
          <div role="status">
            {outcome !== undefined && asksFor === undefined && (
              <ToolOutcome outcome={outcome} slowNotice={description?.slow_notice ?? undefined} />
            )}
          </div>
          <FieldProblem sentence={problem} />
          <Remembered memory={memory} onForget={() => session.forget()} />
        </div>
      </dialog>
      {asksFor !== undefined && (
        <ConfirmDialog
          title={`Run ${tool} for real?`}
          text={`${changeSentences[asksFor.changes]} The arguments fit.`}
          confirm="Run it"
          onConfirm={() => {
            setConfirmedFor(asksFor);
            attempt(true);
          }}
          onCancel={() => setConfirmedFor(asksFor)}
        />
      )}
    </>
  );
}

interface RememberedProps {
  readonly memory: Readonly<Record<string, unknown>>;
  readonly onForget: () => void;
}

function Remembered({ memory, onForget }: RememberedProps) {
  if (Object.keys(memory).length === 0) return null;
  return (
    <section>
      <h3>Remembered, for the next tool that is tried on this page</h3>
      <pre tabIndex={0}>{JSON.stringify(memory, undefined, 2)}</pre>
      <button type="button" className="link" onClick={onForget}>
        Forget it
      </button>
    </section>
  );
}

function describeClosed(detail: string): string {
  return `Tools cannot be tried now. ${detail}`.trim();
}
