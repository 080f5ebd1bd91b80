import { useState } from "react";
import type { FormEvent } from "react";

import { SteadyButton } from "../components/steady-button.tsx";
import { useOpenDialog } from "../components/use-open-dialog.ts";
import { displayName } from "../display-name.ts";
import { useStore } from "../use-store.ts";
import type { BuildSession } from "./build-session.ts";
import { keyOf } from "./part.ts";
import type { Part } from "./part.ts";
import { differencesOf } from "./differences.ts";
import { byEntrance } from "./route-table.ts";
import { FieldProblem } from "../components/field-problem.tsx";

interface PublishDialogProps {
  readonly session: BuildSession;
  readonly onClose: () => void;
}

const shares = [100, 50, 25, 10, 5];

/** What changes for everybody, why, and for how many. It is open while it is rendered. */
export function PublishDialog({ session, onClose }: PublishDialogProps) {
  const dialog = useOpenDialog();
  const { isBusy, problem } = useStore(session.store);
  const [note, setNote] = useState("");
  const [share, setShare] = useState(100);
  const parts = [...session.changed("routes"), ...session.changed("scenario"), ...session.changed("agent")];
  const publish = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (note.trim() !== "" && (await session.publish(note.trim(), share))) onClose();
  };
  return (
    <dialog ref={dialog} className="dialog prompt-dialog" aria-labelledby="publish-title" onCancel={onClose}>
      <header>
        <h2 id="publish-title">Publish what you changed</h2>
      </header>
      <div className="prompt" tabIndex={0} role="region" aria-label="Differences">
        {parts.map((part) => (
          <PartDifferences key={keyOf(part)} part={part} />
        ))}
      </div>
      <form className="publish-form" onSubmit={(event) => void publish(event)}>
        <label>
          <span>What was changed, and why</span>
          <input value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
        </label>
        <label>
          <span>For</span>
          <select value={share} onChange={({ target }) => setShare(Number(target.value))}>
            {shares.map((percent) => (
              <option key={percent} value={percent}>
                {percent === 100 ? "all new conversations" : `${percent} % of new conversations`}
              </option>
            ))}
          </select>
        </label>
        <FieldProblem sentence={problem?.sentence} />
        <div className="dialog-buttons">
          <button type="button" className="pill-button" onClick={onClose}>
            Cancel
          </button>
          <SteadyButton type="submit" className="pill-button pill-primary" isOff={isBusy || note.trim() === ""}>
            Publish
          </SteadyButton>
        </div>
      </form>
    </dialog>
  );
}

function PartDifferences({ part }: { readonly part: Part }) {
  const isTable = part.kind === "routes";
  const differences = isTable
    ? differencesOf(byEntrance(part.original ?? {}), byEntrance(part.document))
    : differencesOf(part.original, part.document);
  return (
    <section>
      <h3>
        {isTable ? "Numbers and channels" : displayName(part.name)}{" "}
        <span className="hint">
          {isTable ? "routes.yaml" : part.original === undefined ? `new ${part.kind}` : part.kind}
        </span>
      </h3>
      {differences.map(({ path, lines }) => (
        <figure key={path} className="difference">
          <figcaption>
            <code>{path}</code>
          </figcaption>
          <pre>
            {lines.map(({ kind, text }, index) =>
              // The same line may occur twice.
              kind === "same" ? (
                <span key={index}>{`  ${text}\n`}</span>
              ) : kind === "added" ? (
                <ins key={index}>{`+ ${text}\n`}</ins>
              ) : (
                <del key={index}>{`- ${text}\n`}</del>
              ),
            )}
          </pre>
        </figure>
      ))}
    </section>
  );
}
