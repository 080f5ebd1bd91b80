import { useState } from "react";

import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { SteadyButton } from "../components/steady-button.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { downloadFile } from "../components/download-file.ts";
import { displayName } from "../display-name.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import type { BuildSession } from "./build-session.ts";
import type { Part } from "./part.ts";
import { catalogArchive } from "./catalog-archive.ts";
import { agentFiles, scenarioFiles } from "./catalog-files.ts";
import type { CatalogFiles } from "./catalog-files.ts";
import { PublishDialog } from "./publish-dialog.tsx";
import { isNothing, liveChangeInWords, liveChangeOf } from "./live-change.ts";

interface PartActionsProps {
  readonly session: BuildSession;
  readonly part: Part;
  readonly isOperator: boolean;
  readonly mayPublish: boolean;
}

/** The possible actions on a document: undo, apply, download as files. */
export function PartActions({ session, part, isOperator, mayPublish }: PartActionsProps) {
  const { isBusy, done, areDraftsKept } = useStore(session.store);
  const [isAsking, setIsAsking] = useState(false);
  const [isPublishing, setIsPublishing] = useState(false);
  const { name, kind, original, document, isChanged } = part;
  const change = kind === "agent" && original !== undefined ? liveChangeOf(original, document) : {};
  const files = filesOf(part, session);
  const discard = (): void => {
    session.discard(part);
    if (original === undefined) window.location.hash = formatRoute({ page: "build", part: undefined });
  };
  return (
    <header className="part-head">
      <h2>
        {displayName(name)} <span className="hint">{kind}</span>
      </h2>
      <div className="part-buttons">
        {isChanged && mayPublish && (
          <SteadyButton className="chip chip-primary" isOff={isBusy} onClick={() => setIsPublishing(true)}>
            Publish…
          </SteadyButton>
        )}
        {isChanged && (
          <button type="button" className="chip" onClick={discard}>
            {original === undefined ? "Delete it" : "Undo all changes"}
          </button>
        )}
        {isOperator && !isNothing(change) && (
          <SteadyButton className="chip" isOff={isBusy} onClick={() => setIsAsking(true)}>
            Apply model and voice to all
          </SteadyButton>
        )}
        <button
          type="button"
          className="chip"
          onClick={() => downloadFile(`${name}.zip`, new Blob([catalogArchive(files)], { type: "application/zip" }))}
        >
          Download as YAML
        </button>
      </div>
      <p className="hint" role="status">
        {isBusy ? "Asking…" : done}
      </p>
      {isChanged && <DraftHint isKept={areDraftsKept} />}
      <details className="fold">
        <summary>As YAML</summary>
        {Object.entries(files).map(([path, text]) => (
          <figure key={path} className="yaml-file">
            <figcaption>
              <code>{path}</code> <CopyButton label="Copy" text={() => text} />
            </figcaption>
            <pre tabIndex={0}>{text}</pre>
          </figure>
        ))}
        <p className="hint">
          The folder that CATALOG_DIR names is where they go; <code>npm run catalog:check</code> looks them over.
        </p>
      </details>
      {isPublishing && <PublishDialog session={session} onClose={() => setIsPublishing(false)} />}
      {isAsking && (
        <ConfirmDialog
          title={`Change ${displayName(name)} in every conversation?`}
          text={`${liveChangeInWords(change)}. It applies from the next turn on, until the service is deployed anew. Everything else of an agent takes its files.`}
          confirm="Change it"
          isHarmless
          onConfirm={() => {
            setIsAsking(false);
            void session.applyToAll(part);
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </header>
  );
}

/** A scenario is downloaded together with its changed agents. */
function filesOf({ kind, document }: Part, session: BuildSession): CatalogFiles {
  if (kind === "agent") return agentFiles(document);
  const { agents } = document;
  const takePart = new Set(Array.isArray(agents) ? agents.map(String) : []);
  const changed = session.changed("agent").filter(({ name }) => takePart.has(name));
  return Object.assign({}, scenarioFiles(document), ...changed.map((agent) => agentFiles(agent.document)));
}

function DraftHint({ isKept }: { readonly isKept: boolean }) {
  if (!isKept)
    return (
      <p className="field-problem">The browser does not keep this draft: download it before you leave the page.</p>
    );
  return (
    <p className="hint">
      Draft kept in this tab until you close it: talk with it to try it, publish it or download it to keep it.
    </p>
  );
}
