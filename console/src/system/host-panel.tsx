import type { SystemHost } from "../api/system-api.ts";
import { displayName } from "../display-name.ts";

const statusInWords: Readonly<Record<string, string>> = {
  serving: "takes new conversations",
  full: "has no place left",
  overloaded: "is late, and takes no new conversations",
  draining: "is being stopped, and finishes what it has",
  warming_up: "is warming up",
};

export function HostPanel({ host }: { readonly host: SystemHost }) {
  const { host_id: id, status, version, started_at: startedAt, event_loop_delay_ms: delayMs, pools } = host;
  const connections = Object.entries(host.connections).filter(([, count]) => count > 0);
  const facts = [
    ["Conversations", `${host.sessions} of ${host.max_sessions}`],
    ["Connections", connections.map(([kind, count]) => `${count} ${kind}`).join(", ") || "none"],
    ["Late by", delayMs === null ? "not known" : `${Math.round(delayMs)} ms`],
    ["Recognition, warm", warm(pools.stt)],
    ["Synthesis, warm", warm(pools.tts)],
    ["Since", new Date(startedAt).toLocaleString()],
    ["Version", version],
  ] as const;
  return (
    <section className="panel" aria-label={`Host ${id}`}>
      <h2>
        Host <code>{id}</code> {statusInWords[status] ?? status}
      </h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul className="checks">
        {host.providers.map(({ part, name, healthy, error }) => (
          <li key={part} data-health={healthy ? "healthy" : "unhealthy"}>
            <strong>{displayName(part)}</strong>
            <span>{error ?? "works"}</span>
            <span className="hint">{name}</span>
          </li>
        ))}
        {host.tool_servers.map(({ name, state, error }) => (
          <li key={`tools of ${name}`} data-health={state === "connected" ? "healthy" : "unhealthy"}>
            <strong>Tools: {name}</strong>
            <span>{error ?? state}</span>
          </li>
        ))}
      </ul>
      {host.upstream_failures.length > 0 && (
        <>
          <h3>Last failures of what it depends on</h3>
          <ul className="checks">
            {host.upstream_failures.map(({ part, code, timestamp }) => (
              <li key={`${timestamp} ${part}`} data-health="unhealthy">
                <strong>{displayName(part)}</strong>
                <span>{code.replaceAll("_", " ")}</span>
                <time className="hint" dateTime={timestamp}>
                  {new Date(timestamp).toLocaleString()}
                </time>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function warm({
  warm_pool_size: size,
  warm_pool_target: target,
  warmup_failures: failures,
}: SystemHost["pools"]["stt"]) {
  const of = `${size} of ${target}`;
  return failures === 0 ? of : `${of}, failed ${failures} times`;
}
