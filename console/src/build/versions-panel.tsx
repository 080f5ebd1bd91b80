import { useState } from "react";

import { describeProblem } from "../api/api-problem.ts";
import type { ReleaseDetails, ReleaseList } from "../api/build-api.ts";
import { downloadFile } from "../components/download-file.ts";
import { SteadyButton } from "../components/steady-button.tsx";
import { formatMoment } from "../format-moment.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import type { BuildSession } from "./build-session.ts";
import { catalogArchive } from "./catalog-archive.ts";
import { agentFiles, routeFiles, scenarioFiles } from "./catalog-files.ts";
import type { CatalogFiles } from "./catalog-files.ts";
import { FieldProblem } from "../components/field-problem.tsx";

interface VersionsPanelProps {
  readonly session: BuildSession;
  readonly published: ReleaseList;
  readonly mayPublish: boolean;
}

/** What was published, by whom, and how many new conversations have it. Version 0 is the catalog's files. */
export function VersionsPanel({ session, published: { releases, live }, mayPublish }: VersionsPanelProps) {
  const { isBusy } = useStore(session.store);
  const [problem, setProblem] = useState<string>();
  const shareOf = (version: number): number => live.find((one) => one.version === version)?.share ?? 0;
  const download = async (version: number): Promise<void> => {
    try {
      const files = filesOf(await session.release(version));
      downloadFile(`version-${version}.zip`, new Blob([catalogArchive(files)], { type: "application/zip" }));
      setProblem(undefined);
    } catch (error) {
      setProblem(describeProblem(error));
    }
  };
  const rows = [
    ...releases,
    { version: 0, author: "", note: "The catalog’s files", published_at: "", agents: [], scenarios: [], routes: null },
  ];
  return (
    <section className="versions" aria-labelledby="versions-title">
      <h2 id="versions-title">Versions</h2>
      <div className="versions-scroller">
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Note</th>
              <th scope="col">Author</th>
              <th scope="col">Published</th>
              <th scope="col">Share</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ version, note, author, published_at: publishedAt, agents, scenarios, routes }) => (
              <tr key={version} aria-current={shareOf(version) > 0 ? "true" : undefined}>
                <th scope="row">{version}</th>
                <td title={[...agents, ...scenarios, ...(routes == null ? [] : ["routes.yaml"])].join(", ")}>{note}</td>
                <td>{author}</td>
                <td>{publishedAt !== "" && formatMoment(publishedAt)}</td>
                <td>{shareOf(version) === 0 ? "" : `${shareOf(version)} %`}</td>
                <td>
                  {mayPublish && shareOf(version) < 100 && (
                    <SteadyButton
                      className="link"
                      isOff={isBusy}
                      onClick={() => void session.shareOut([{ version, share: 100 }])}
                    >
                      {shareOf(version) > 0 ? "Give it all" : "Roll back to it"}
                    </SteadyButton>
                  )}
                  <a
                    href={formatRoute({
                      page: "conversations",
                      sessionId: undefined,
                      filter: { release: String(version) },
                    })}
                  >
                    Conversations
                  </a>
                  {version > 0 && (
                    <button type="button" className="link" onClick={() => void download(version)}>
                      YAML
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <FieldProblem sentence={problem} />
    </section>
  );
}

function filesOf(release: ReleaseDetails): CatalogFiles {
  const { agent_documents: agents, scenario_documents: scenarios, route_documents: rows } = release;
  const table = rows == null ? {} : routeFiles(rows);
  return Object.assign(table, ...agents.map(agentFiles), ...scenarios.map(scenarioFiles));
}
