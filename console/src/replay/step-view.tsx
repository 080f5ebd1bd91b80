import { timeOf } from "@voice/streaming-host/session/flight/describe-step";
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

import { SteadyButton } from "../components/steady-button.tsx";
import { effectsInWords } from "./describe-effects.ts";
import { nextDifference, nextFailure } from "./replay-session.ts";
import type { OpenedRecord } from "./replay-session.ts";
import { eventDetails, eventInWords, gistOf } from "./describe-event.ts";
import { stateFacts } from "./describe-state.ts";

interface StepViewProps {
  readonly opened: OpenedRecord;
  readonly onSelect: (index: number) => void;
}

/** The selected step: its event, the recorded and the new decisions, and the state after it. */
export function StepView({ opened, onSelect }: StepViewProps) {
  const { steps, selected, differences, failures } = opened;
  const step = steps[selected];
  if (step === undefined) return null;
  const at = (sessionMs: number): string => timeOf(step.wallMs - step.event.atMs + sessionMs);
  return (
    <section className="panel step-view" aria-label="Step">
      <div className="step-buttons">
        <SteadyButton className="pill-button" isOff={selected === 0} onClick={() => onSelect(selected - 1)}>
          Previous
        </SteadyButton>
        <SteadyButton
          className="pill-button"
          isOff={selected === steps.length - 1}
          onClick={() => onSelect(selected + 1)}
        >
          Next
        </SteadyButton>
        {differences.length > 0 && (
          <button type="button" className="pill-button" onClick={() => onSelect(nextDifference(opened) ?? selected)}>
            Next difference
          </button>
        )}
        {failures.length > 0 && (
          <button type="button" className="pill-button" onClick={() => onSelect(nextFailure(opened) ?? selected)}>
            Next failure
          </button>
        )}
      </div>
      <div aria-live="polite">
        <p className="hint">
          Step {selected + 1} of {steps.length}
        </p>
        <h3>
          {eventInWords(step.event)} {gistOf(step.event)}
        </h3>
        <p className="step-details">{eventDetails(step.event, at)}</p>
        <Decisions step={step} />
      </div>
      <h4>How things stand after it</h4>
      <dl className="step-state">
        {stateFacts(step.state, steps[selected - 1]?.state, at).map(({ name, value, isNews }) => (
          <div key={name} data-news={isNews}>
            <dt>{name}</dt>
            <dd>{value === "" ? "no longer" : value}</dd>
          </div>
        ))}
      </dl>
      <details className="fold">
        <summary>As it was recorded</summary>
        <pre tabIndex={0} aria-label="The event and the decisions">
          {JSON.stringify({ event: step.event, effects: step.recorded }, undefined, 2)}
        </pre>
      </details>
    </section>
  );
}

function Decisions({ step }: { readonly step: ReplayedStep }) {
  if (step.isSame)
    return (
      <>
        <h4>Decided, then and now</h4>
        <Effects effects={step.recorded} stopped={step.stoppedThen} />
      </>
    );
  return (
    <>
      {step.followsDifference && (
        <p className="hint">
          A step before it is decided differently now, so that the machine meets this in another state.
        </p>
      )}
      <div className="step-decisions">
        <div>
          <h4>Decided then</h4>
          <Effects effects={step.recorded} stopped={step.stoppedThen} />
        </div>
        <div>
          <h4>Decided now</h4>
          <Effects effects={step.today} stopped={step.stoppedToday} />
        </div>
      </div>
    </>
  );
}

interface EffectsProps {
  readonly effects: ReplayedStep["today"];
  readonly stopped: ReplayedStep["stoppedToday"];
}

function Effects({ effects, stopped }: EffectsProps) {
  return (
    <ul className="step-effects">
      {effectsInWords(effects, stopped).map((line, index) => (
        // The same effect may be decided twice in one step.
        <li key={`${index} ${line}`}>{line}</li>
      ))}
    </ul>
  );
}
