import { useEffect, useState } from "react";

import { describeProblem } from "../api/api-problem.ts";
import type { AuditEntry, SystemApi } from "../api/system-api.ts";

interface AuditPanelProps {
  readonly api: Pick<SystemApi, "audit">;
}

/** Requests records only when an operator asks for them, because each request is recorded itself. */
export function AuditPanel({ api }: AuditPanelProps) {
  const [filter, setFilter] = useState({ subject: "", about: "" });
  const [request, setRequest] = useState<typeof filter>();
  const [entries, setEntries] = useState<readonly AuditEntry[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (request === undefined) return undefined;
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      try {
        setEntries(await api.audit(request, abort.signal));
        setProblem(undefined);
      } catch (error) {
        if (!abort.signal.aborted) setProblem(describeProblem(error));
      }
    };
    void read();
    return () => abort.abort();
  }, [api, request]);
  return (
    <section className="panel audit" aria-labelledby="audit-title">
      <h2 id="audit-title">Audit</h2>
      <form
        className="settings-filter"
        onSubmit={(event) => {
          event.preventDefault();
          setRequest({ subject: filter.subject.trim(), about: filter.about.trim() });
        }}
      >
        <label>
          <span className="visually-hidden">Subject</span>
          <input
            type="search"
            value={filter.subject}
            placeholder="By whom (subject)"
            onChange={({ target }) => setFilter({ ...filter, subject: target.value })}
          />
        </label>
        <label>
          <span className="visually-hidden">Session, call or agent</span>
          <input
            type="search"
            value={filter.about}
            placeholder="Session, call or agent"
            onChange={({ target }) => setFilter({ ...filter, about: target.value })}
          />
        </label>
        <button type="submit" className="pill-button">
          Show who did what
        </button>
      </form>
      <p role="status" className={problem === undefined ? "hint" : "banner banner-warning"}>
        {problem ?? outcomeInWords(entries)}
      </p>
      {entries !== undefined && entries.length > 0 && <AuditTable entries={entries} />}
    </section>
  );
}

function outcomeInWords(entries: readonly AuditEntry[] | undefined): string {
  if (entries === undefined)
    return "Who read, watched, changed, placed, deleted and was refused what, without any contents.";
  return entries.length === 0 ? "Nothing is recorded that fits." : `The newest ${entries.length} records that fit.`;
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-labelledby="audit-title">
      <table>
        <thead>
          <tr>
            {["When", "Who", "Action", "What", "Outcome", "From"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <tr key={`${entry.timestamp}-${index}`}>
              <td>{new Date(entry.timestamp).toLocaleString()}</td>
              <td>{entry.subject ?? "Nobody known"}</td>
              <td>
                <code>{entry.action}</code>
              </td>
              <td>{Object.values(entry.what).join(", ")}</td>
              <td>{entry.outcome}</td>
              <td>{entry.from ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
