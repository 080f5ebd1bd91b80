import { useEffect, useState } from "react";

import type { ReleaseList } from "../api/build-api.ts";
import { SteadyButton } from "../components/steady-button.tsx";
import { useStore } from "../use-store.ts";
import type { DialoguesSession, HeldDialogue } from "./dialogues-session.ts";
import { FieldProblem } from "../components/field-problem.tsx";

interface DialoguesPanelProps {
  readonly scenario: string;
  readonly isChanged: boolean;
  readonly dialogues: DialoguesSession;
  /** Undefined where they are not known. */
  readonly published: ReleaseList | undefined;
}

/** A scenario's written dialogues, and whether conversations follow them: with the files, or with two versions side by side. */
export function DialoguesPanel({ scenario, isChanged, dialogues, published }: DialoguesPanelProps) {
  const { kind, held, problem } = useStore(dialogues.store);
  const [compared, setCompared] = useState<number>();
  useEffect(() => () => dialogues.forget(), [dialogues, scenario]);
  const passed = held.filter((dialogue) => dialogue.passed).length;
  const names = [...new Set(held.map(({ name }) => name))];
  const heldWith = compared === undefined ? "the files" : "both versions";
  return (
    <section className="panel" aria-labelledby="dialogues-title">
      <h2 id="dialogues-title">Dialogues</h2>
      <p className="hint" role="status">
        {kind === "none" && "Runs the conversations that are written for this scenario, and compares the answers."}
        {kind === "holding" && `Running them… ${held.length === 0 ? "" : `${passed} of ${held.length} passed so far.`}`}
        {kind === "over" && held.length === 0 && problem === undefined && "None is written for this scenario."}
        {kind === "over" && held.length > 0 && `${passed} of ${held.length} passed.`}
        {isChanged && ` They run with ${heldWith}, without your changes.`}
      </p>
      <FieldProblem sentence={problem} />
      <ul className="dialogues">
        {names.flatMap((name) =>
          held
            .filter((dialogue) => dialogue.name === name)
            .map((dialogue) => <Held key={`${name} ${dialogue.version}`} dialogue={dialogue} />),
        )}
      </ul>
      {published !== undefined && published.releases.length > 0 && (
        <label className="field">
          Compare what is deployed with
          <select
            value={compared ?? ""}
            onChange={({ target }) => setCompared(target.value === "" ? undefined : Number(target.value))}
          >
            <option value="">nothing</option>
            {[...published.releases.map(({ version }) => version), 0]
              .filter((version) => version !== deployedIn(published))
              .map((version) => (
                <option key={version} value={version}>
                  {versionInWords(version)}
                </option>
              ))}
          </select>
        </label>
      )}
      <SteadyButton
        className="pill-button"
        isOff={kind === "holding"}
        onClick={() => {
          const versions = compared === undefined || published === undefined ? [] : [deployedIn(published), compared];
          void dialogues.hold(scenario, versions);
        }}
      >
        Run its dialogues
      </SteadyButton>
    </section>
  );
}

/** What most new conversations have. */
function deployedIn({ live }: ReleaseList): number {
  return live.toSorted((one, other) => other.share - one.share)[0]?.version ?? 0;
}

function versionInWords(version: number): string {
  return version === 0 ? "the catalog’s files" : `version ${version}`;
}

function Held({ dialogue: { version, name, passed, taken, steps, deviations } }: { readonly dialogue: HeldDialogue }) {
  if (passed)
    return (
      <li data-passed="true">
        {name} <span className="hint">{withVersion("passed", version)}</span>
      </li>
    );
  return (
    <li data-passed="false">
      <details>
        <summary>
          {name} <span className="hint">{withVersion(`failed at step ${taken} of ${steps}`, version)}</span>
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

function withVersion(result: string, version: number | undefined): string {
  return version === undefined ? result : `${result} with ${versionInWords(version)}`;
}
