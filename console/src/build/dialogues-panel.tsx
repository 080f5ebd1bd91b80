import { useEffect } from "react";

import { SteadyButton } from "../components/steady-button.tsx";
import { useStore } from "../use-store.ts";
import type { DialoguesSession, HeldDialogue } from "./dialogues-session.ts";

interface DialoguesPanelProps {
  readonly scenario: string;
  readonly isChanged: boolean;
  readonly dialogues: DialoguesSession;
}

/** A scenario's written dialogues, and whether conversations follow them. */
export function DialoguesPanel({ scenario, isChanged, dialogues }: DialoguesPanelProps) {
  const { kind, held, problem } = useStore(dialogues.store);
  useEffect(() => () => dialogues.forget(), [dialogues, scenario]);
  const passed = held.filter((dialogue) => dialogue.passed).length;
  return (
    <section className="panel" aria-labelledby="dialogues-title">
      <h2 id="dialogues-title">Dialogues</h2>
      <p className="hint" role="status">
        {kind === "none" && "Runs the conversations that are written for this scenario, and compares the answers."}
        {kind === "holding" &&
          `Running them… ${held.length === 0 ? "" : `${passed} of ${held.length} as written so far.`}`}
        {kind === "over" && held.length === 0 && problem === undefined && "None is written for this scenario."}
        {kind === "over" && held.length > 0 && `${passed} of ${held.length} as written.`}
        {isChanged && " They run with the files, without your changes."}
      </p>
      {problem !== undefined && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <ul className="dialogues">
        {held.map((dialogue) => (
          <Held key={dialogue.name} dialogue={dialogue} />
        ))}
      </ul>
      <SteadyButton className="pill-button" isOff={kind === "holding"} onClick={() => void dialogues.hold(scenario)}>
        Run its dialogues
      </SteadyButton>
    </section>
  );
}

function Held({ dialogue: { name, passed, taken, steps, deviations } }: { readonly dialogue: HeldDialogue }) {
  if (passed)
    return (
      <li data-passed="true">
        {name} <span className="hint">as written</span>
      </li>
    );
  return (
    <li data-passed="false">
      <details>
        <summary>
          {name} <span className="hint">{`otherwise at step ${taken} of ${steps}`}</span>
        </summary>
        {deviations.map(({ did, expected, got }) => (
          <dl key={`${did} ${expected}`} className="facts">
            <div>
              <dt>After</dt>
              <dd>{did}</dd>
            </div>
            <div>
              <dt>Expected</dt>
              <dd>{expected}</dd>
            </div>
            <div>
              <dt>Got</dt>
              <dd>{got}</dd>
            </div>
          </dl>
        ))}
      </details>
    </li>
  );
}
