import { useEffect, useRef } from "react";

import type { ToolTrialOutcome } from "@voice/shared/contracts/stream/tool-trial";

import { outcomeNames, reasonOf } from "./describe-tool-trial.ts";

interface ToolOutcomeProps {
  readonly outcome: ToolTrialOutcome;
  readonly slowNotice: string | undefined;
}

/** What came of one trial, as the model would read it. */
export function ToolOutcome({ outcome, slowNotice }: ToolOutcomeProps) {
  const { outcome: kind, result, duration_ms: durationMs, was_slow: wasSlow, effects } = outcome;
  const hasRun = result !== null && kind !== "invalid_arguments";
  const reason = reasonOf(outcome);
  const place = useRef<HTMLElement>(null);
  // On a small screen it appears below what is seen. Newer browsers return a promise, which is no clean-up.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [outcome]);
  return (
    <section ref={place}>
      <h3>
        {outcomeNames[kind]}
        {hasRun && ` · ${Math.round(durationMs)} ms`}
      </h3>
      {reason !== undefined && <p className={kind === "not_done" ? "hint" : "field-problem"}>{reason}</p>}
      {wasSlow && slowNotice !== undefined && <p className="hint">A caller would have heard: “{slowNotice}”</p>}
      {effects.map((effect) => (
        <p key={effect.type} className="hint">
          In a call it would ask for this, which is not done here: <code>{JSON.stringify(effect)}</code>
        </p>
      ))}
      {result !== null && (
        <figure>
          <figcaption className="hint">What the model would read</figcaption>
          <pre tabIndex={0}>{JSON.stringify(result, undefined, 2)}</pre>
        </figure>
      )}
    </section>
  );
}
