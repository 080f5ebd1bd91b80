/** Loaded when the table is edited, together with the code that reads and writes YAML. */
import { useEffect, useState } from "react";

import type { CatalogState } from "../catalog/catalog-session.ts";
import { downloadFile } from "../components/download-file.ts";
import { SteadyButton } from "../components/steady-button.tsx";
import { useStore } from "../use-store.ts";
import type { BuildSession } from "./build-session.ts";
import { routeFiles } from "./catalog-files.ts";
import { textOf } from "./document-path.ts";
import { problemsAt } from "./field-problems.ts";
import { keyOf, routesPart } from "./part.ts";
import type { Part, PartProblem } from "./part.ts";
import { PublishDialog } from "./publish-dialog.tsx";
import { agentsIn } from "./read-parts.ts";
import { RouteFields } from "./route-fields.tsx";
import { entranceOf, rowsOf } from "./route-table.ts";
import { VersionsPanel } from "./versions-panel.tsx";

interface RoutesEditorProps {
  readonly session: BuildSession;
  readonly catalog: CatalogState;
  readonly mayPublish: boolean;
  readonly onClose: () => void;
}

export function RoutesEditor({ session, catalog, mayPublish, onClose }: RoutesEditorProps) {
  const { parts, published, problem } = useStore(session.store);
  useEffect(() => session.open(routesPart), [session]);
  useEffect(() => void session.loadPublished(), [session]);
  const table = parts[keyOf(routesPart)];
  const own = problem?.part === keyOf(routesPart) ? problem : undefined;
  return (
    <>
      {problem !== undefined && (
        <p className="banner banner-error" role="alert">
          {problem.sentence}{" "}
          {own === undefined && problem.part !== "" && <a href={`#build/${problem.part}`}>Show it</a>}
        </p>
      )}
      {table === undefined ? (
        problem === undefined && <p role="status">Loading…</p>
      ) : (
        <>
          <TableActions session={session} table={table} mayPublish={mayPublish} onClose={onClose} />
          <Rows session={session} table={table} catalog={catalog} problem={own} />
        </>
      )}
      {published !== undefined && <VersionsPanel session={session} published={published} mayPublish={mayPublish} />}
    </>
  );
}

interface TableActionsProps extends Pick<RoutesEditorProps, "session" | "mayPublish" | "onClose"> {
  readonly table: Part;
}

function TableActions({ session, table, mayPublish, onClose }: TableActionsProps) {
  const { isBusy, done, areDraftsKept } = useStore(session.store);
  const [isPublishing, setIsPublishing] = useState(false);
  const discard = (): void => {
    session.discard(table);
    // Another version may be deployed by now.
    session.open(routesPart);
  };
  const download = (): void => {
    for (const [path, text] of Object.entries(routeFiles(rowsOf(table.document))))
      downloadFile(path, new Blob([text], { type: "application/yaml" }));
  };
  return (
    <div className="part-head">
      <div className="part-buttons">
        {table.isChanged && mayPublish && (
          <SteadyButton className="chip chip-primary" isOff={isBusy} onClick={() => setIsPublishing(true)}>
            Publish…
          </SteadyButton>
        )}
        {table.isChanged && (
          <button type="button" className="chip" onClick={discard}>
            Undo all changes
          </button>
        )}
        <button type="button" className="chip" onClick={download}>
          Download as YAML
        </button>
        <button type="button" className="chip" onClick={onClose}>
          Close
        </button>
      </div>
      <p className="hint" role="status">
        {isBusy ? "Asking…" : done}
      </p>
      {table.isChanged && (
        <p className={areDraftsKept ? "hint" : "field-problem"}>
          {areDraftsKept
            ? "Draft kept in this tab until you close it. Nobody else notices before it is published."
            : "The browser does not keep this draft: download it before you leave the page."}
        </p>
      )}
      {isPublishing && <PublishDialog session={session} onClose={() => setIsPublishing(false)} />}
    </div>
  );
}

interface RowsProps extends Pick<RoutesEditorProps, "session" | "catalog"> {
  readonly table: Part;
  readonly problem: PartProblem | undefined;
}

function Rows({ session, table, catalog, problem }: RowsProps) {
  const rows = rowsOf(table.document);
  const [added, setAdded] = useState<number>();
  const drafts = session.changed("scenario").map(({ name, document }) => ({ name, agents: agentsIn(document) }));
  const isDrafted = (name: string): boolean => drafts.some((draft) => draft.name === name);
  const scenarios = [...catalog.scenarios.filter(({ name }) => !isDrafted(name)), ...drafts];
  const setAll = (all: readonly unknown[]): void => session.change(routesPart, "routes", all);
  return (
    <>
      <ol className="route-rows">
        {rows.map((row, index) => {
          const place = `routes.${index}`;
          const entrance = entranceOf(row) || "No number yet";
          return (
            // Two rows may be equal while they are being edited.
            <li key={index}>
              <details open={index === added || problemsAt(problem, place, false).length > 0}>
                <summary>
                  <strong>{entrance}</strong> <span className="hint">{textOf(row["scenario"])}</span>
                </summary>
                <RouteFields
                  row={row}
                  place={place}
                  scenarios={scenarios}
                  problem={problem}
                  isNew={index === added}
                  onChange={(path, value) =>
                    session.change(routesPart, path === "" ? place : `${place}.${path}`, value)
                  }
                />
                <button
                  type="button"
                  className="chip"
                  aria-label={`Remove the row of ${entrance}`}
                  onClick={() => {
                    setAdded(undefined);
                    setAll(rows.filter((_, at) => at !== index));
                  }}
                >
                  Remove
                </button>
              </details>
            </li>
          );
        })}
      </ol>
      <button
        type="button"
        className="chip"
        onClick={() => {
          setAdded(rows.length);
          setAll([...rows, { number: [], scenario: catalog.defaultScenario ?? "" }]);
        }}
      >
        Another row
      </button>
    </>
  );
}
