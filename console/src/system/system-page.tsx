import { useEffect } from "react";
import type { ReactNode } from "react";

import type { Readiness, SystemInfo } from "../api/system-api.ts";
import type { Console } from "../create-console.ts";
import { displayName } from "../display-name.ts";
import { useStore } from "../use-store.ts";
import { AuditPanel } from "./audit-panel.tsx";
import { HostPanel } from "./host-panel.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import type { SystemState } from "./system-session.ts";
import {
  causesFirst,
  checkInWords,
  isWell,
  readinessInWords,
  slownessInWords,
  titleOf,
  withoutReadiness,
} from "./describe-system.ts";

interface SystemPageProps {
  readonly console: Pick<Console, "system">;
  readonly isOperator: boolean;
  /** The table of routes, which is edited as the Build page's documents are. */
  readonly showRoutes: (routes: SystemInfo["routes"]) => ReactNode;
}

export function SystemPage({ console: { system: session }, isOperator, showRoutes }: SystemPageProps) {
  const { readiness, system, problems } = useStore(session.store);
  useEffect(() => session.watch(isOperator), [session, isOperator]);
  return (
    <main className="page page-system" tabIndex={0} aria-label="System">
      {problems.map((problem) => (
        <p key={problem} className="banner banner-warning" role="status">
          {problem}
        </p>
      ))}
      <div className="system-panels">
        <ReadinessPanel readiness={readiness} problems={problems} />
        {system !== undefined && <PartsPanel system={system} />}
        {system !== undefined && showRoutes(system.routes)}
        {system?.hosts.length === 0 && (
          <p className="panel banner-error system-host" role="status">
            No streaming host runs, so nobody can talk or call. Start one; the log of the last one says why it stopped.
          </p>
        )}
        {system?.hosts.map((host) => (
          <HostPanel key={host.host_id} host={host} />
        ))}
      </div>
      {system !== undefined && <SettingsPanel settings={system.settings} />}
      {isOperator && <AuditPanel api={session} />}
      {!isOperator && <p className="panel hint">Hosts and settings are for operators.</p>}
    </main>
  );
}

function ReadinessPanel({ readiness, problems }: Pick<SystemState, "readiness" | "problems">) {
  return (
    <section className="panel" aria-labelledby="readiness-title">
      <h2 id="readiness-title">Readiness</h2>
      <p role="status">{readiness === undefined ? withoutReadiness(problems) : readinessInWords(readiness)}</p>
      <ul className="checks">
        {causesFirst(readiness?.checks ?? [], isWell).map((check) => (
          <CheckRow key={check.component} check={check} />
        ))}
      </ul>
    </section>
  );
}

function CheckRow({ check }: { readonly check: Readiness["checks"][number] }) {
  const { state, toDo } = checkInWords(check);
  return (
    <li data-health={check.status}>
      <strong>{titleOf(check.component)}</strong>
      <span>
        {state} {toDo !== undefined && <span className="to-do">{toDo}</span>}
      </span>
      <span className="hint">{slownessInWords(check.check_time_ms)}</span>
    </li>
  );
}

const kindInWords: Readonly<Record<string, string>> = {
  real: "A real service",
  local: "On this machine",
  off: "Not used",
};

function PartsPanel({ system: { parts, version, commit } }: { readonly system: SystemInfo }) {
  return (
    <section className="panel" aria-labelledby="parts-title">
      <h2 id="parts-title">Parts</h2>
      <ul className="checks">
        {parts.map(({ name, kind, detail }) => (
          <li key={name} data-kind={kind}>
            <strong>{displayName(name)}</strong>
            <span>{detail}</span>
            <span className="hint">{kindInWords[kind] ?? kind}</span>
          </li>
        ))}
      </ul>
      <p className="hint build">
        Version {version}, built from <code>{commit.slice(0, 12)}</code>
      </p>
    </section>
  );
}
