import { Download } from "lucide-react";
import { useCallback, useEffect } from "react";

import type { CatalogState } from "../catalog/catalog-session.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { downloadFile } from "../components/download-file.ts";
import { SteadyButton } from "../components/steady-button.tsx";
import type { Console } from "../create-console.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { isSameFilter } from "../conversation/conversation-filter.ts";
import type { ConversationFilter } from "../conversation/conversation-filter.ts";
import { ConversationTable } from "./conversation-table.tsx";
import type { ConversationsState } from "./conversations-session.ts";
import { FilterBar } from "./filter-bar.tsx";

interface ConversationsPageProps {
  readonly console: Pick<Console, "conversations" | "savedFilters">;
  readonly catalog: CatalogState;
  readonly filter: ConversationFilter;
}

export function ConversationsPage({ console, catalog, filter }: ConversationsPageProps) {
  const { conversations, savedFilters } = console;
  const state = useStore(conversations.store);
  useEffect(() => conversations.show(filter), [conversations, filter]);
  const more = useCallback(() => void conversations.loadMore(), [conversations]);
  const hold = useCallback((isHeld: boolean) => conversations.hold(isHeld), [conversations]);
  const show = (next: ConversationFilter): void => {
    window.location.hash = formatRoute({ page: "conversations", sessionId: undefined, filter: next });
  };
  const { rows, newCount } = state;
  return (
    <main className="page page-table">
      <div className="page-head">
        <h2 className="page-title">Conversations</h2>
        <p className="hint" role="status">
          {describeCount(state)}
        </p>
        <div className="page-actions">
          <CopyButton text={() => window.location.href} label="Copy link" />
          {(["csv", "json"] as const).map((format) => (
            <SteadyButton
              key={format}
              className="small-button"
              isOff={state.isExporting}
              onClick={() =>
                void conversations.export(format, (content) => downloadFile(`conversations.${format}`, content))
              }
            >
              <Download className="icon" aria-hidden="true" />
              {format.toUpperCase()}
            </SteadyButton>
          ))}
        </div>
      </div>
      <FilterBar
        filter={filter}
        saved={savedFilters}
        scenarios={catalog.scenarios.map(({ name }) => name)}
        agents={catalog.agents.map(({ name }) => name)}
        releases={releasesIn(rows ?? [])}
        onChange={show}
      />
      {[state.problem, state.exportProblem].map(
        (problem) =>
          problem !== undefined && (
            <p key={problem} className="banner banner-warning" role="alert">
              The list could not be read: {problem}
            </p>
          ),
      )}
      <section className="table-panel" aria-label="List">
        {newCount > 0 && (
          <button type="button" className="new-rows" onClick={() => conversations.showNew()}>
            {newCount === 1 ? "1 new conversation" : `${newCount} new conversations`}
          </button>
        )}
        {rows?.length === 0 ? (
          <WhyEmpty filter={filter} />
        ) : (
          <ConversationTable
            rows={rows ?? []}
            filter={filter}
            total={state.total}
            hasMore={state.hasMore}
            onMore={more}
            onHold={hold}
          />
        )}
      </section>
    </main>
  );
}

/** Those that the list shows: what else was published, the Build page knows. */
function releasesIn(rows: NonNullable<ConversationsState["rows"]>): readonly string[] {
  const releases = new Set(rows.flatMap(({ release }) => (release == null ? [] : [release])));
  return [...releases].toSorted((one, other) => other - one).map(String);
}

function describeCount({ rows, total, hasMore, problem }: ConversationsState): string {
  if (rows === undefined) return problem === undefined ? "Loading…" : "";
  if (total !== null) return total === 1 ? "1 conversation" : `${total.toLocaleString()} conversations`;
  return `${rows.length.toLocaleString()}${hasMore ? " and more" : ""}`;
}

function WhyEmpty({ filter }: { readonly filter: ConversationFilter }) {
  const isFiltered = !isSameFilter(filter, {});
  return (
    <p className="table-empty">
      {isFiltered ? (
        "No conversation matches. They are kept for a day after the last word, and phone calls for a week."
      ) : (
        <>
          None yet. <a href={formatRoute({ page: "talk" })}>Start one</a>, or call with{" "}
          <code>npm run caller{callerOption()}</code>.
        </>
      )}
    </p>
  );
}

/** The command's own default is the port of `npm start`. */
function callerOption(): string {
  const { origin } = window.location;
  return origin === "http://localhost:8080" ? "" : ` -- --url ${origin}`;
}
