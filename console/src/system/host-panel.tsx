import type { SystemHost } from "../api/system-api.ts";
import { displayName } from "../display-name.ts";
import { formatRoute } from "../route.ts";
import {
  agoInWords,
  causesFirst,
  connectionsInWords,
  failureInWords,
  placesInWords,
  readyInWords,
} from "./describe-system.ts";

const statusInWords: Readonly<Record<string, string>> = {
  serving: "takes new conversations",
  full: "has no place left",
  overloaded: "is late, and takes no new conversations",
  draining: "is being stopped, and finishes what it has",
  warming_up: "is warming up",
};

/** What to do about a host that takes no new conversations. */
const toDo: Readonly<Record<string, string>> = {
  full: "Start another host, or allow this one more conversations with MAX_SESSIONS.",
  overloaded: "Its processor has too much to do: start another host, or give this one fewer conversations.",
};

export function HostPanel({ host }: { readonly host: SystemHost }) {
  const { host_id: id, status, version, started_at: startedAt, event_loop_delay_ms: delayMs, pools } = host;
  const now = Date.now();
  const facts = [
    ["Conversations", placesInWords(host)],
    ["Connected", connectionsInWords(host.connections)],
    ["Event loop delay", delayMs === null ? "not known" : `${Math.round(delayMs)} ms`],
    ["Recognition streams", readyInWords(pools.stt)],
    ["Synthesis streams", readyInWords(pools.tts)],
    ["Started", `${agoInWords(startedAt, now)} (${new Date(startedAt).toLocaleString()})`],
    ["Version", version],
  ] as const;
  return (
    <section className="panel system-host" aria-label={`Host ${id}`}>
      <h2>
        Host <code>{id}</code> {statusInWords[status] ?? status}
      </h2>
      {toDo[status] !== undefined && <p className="hint">{toDo[status]}</p>}
      <div className="host-columns">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <ul className="checks">
          {causesFirst(host.providers, ({ healthy }) => healthy).map(({ part, name, healthy, error }) => (
            <li key={part} data-health={healthy ? "healthy" : "unhealthy"}>
              <strong>{displayName(part)}</strong>
              <span>{error ?? "works"}</span>
              <span className="hint">{name}</span>
            </li>
          ))}
          {causesFirst(host.tool_servers, ({ state }) => state === "connected").map(({ name, state, error }) => (
            <li key={`tools of ${name}`} data-health={state === "connected" ? "healthy" : "unhealthy"}>
              <strong>Tools: {name}</strong>
              <span>{error ?? (state === "connected" ? "works" : state)}</span>
            </li>
          ))}
        </ul>
      </div>
      {host.upstream_failures.length > 0 && (
        <>
          <h3>Last failures of what it depends on</h3>
          <ul className="checks">
            {host.upstream_failures.map(({ part, code, reason, session_id: sessionId, timestamp }, index) => (
              <li key={`${timestamp} ${part} ${index}`} data-health="unhealthy">
                <strong>{displayName(part)}</strong>
                <span>
                  {reason ?? failureInWords(code)}
                  {sessionId != null && (
                    <>
                      {" "}
                      <a href={formatRoute({ page: "conversations", sessionId })}>
                        in <code>{sessionId}</code>
                      </a>
                    </>
                  )}
                </span>
                <time className="hint" dateTime={timestamp} title={new Date(timestamp).toLocaleString()}>
                  {agoInWords(timestamp, now)}
                </time>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
