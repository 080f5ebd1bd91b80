/** Which number or channel begins with which scenario, and whether somebody answers now. */
import { useState } from "react";

import type { SystemRoute } from "../api/system-api.ts";
import { keyOf, routesPart } from "../build/part.ts";
import type { CatalogState } from "../catalog/catalog-session.ts";
import { onDemand } from "../components/on-demand.tsx";
import type { Console } from "../create-console.ts";
import { useStore } from "../use-store.ts";

interface RoutesPanelProps {
  readonly build: Console["build"];
  readonly catalog: CatalogState;
  readonly routes: readonly SystemRoute[];
  readonly mayPublish: boolean;
}

const RoutesEditor = onDemand(async () => (await import("../build/routes-editor.tsx")).RoutesEditor);

export function RoutesPanel({ build, catalog, routes, mayPublish }: RoutesPanelProps) {
  const { parts } = useStore(build.store);
  const [isEditing, setIsEditing] = useState(() => parts[keyOf(routesPart)]?.isChanged === true);
  return (
    <section className={isEditing ? "panel system-host" : "panel"} aria-labelledby="routes-title">
      <div className="panel-title">
        <h2 id="routes-title">Numbers and channels</h2>
        {!isEditing && (
          <button type="button" className="link" onClick={() => setIsEditing(true)}>
            Edit
          </button>
        )}
      </div>
      {isEditing ? (
        <RoutesEditor session={build} catalog={catalog} mayPublish={mayPublish} onClose={() => setIsEditing(false)} />
      ) : routes.length === 0 ? (
        <p className="hint">There is no table of routes: every conversation begins with the same scenario.</p>
      ) : (
        <ul className="checks">
          {routes.map((route) => (
            <RouteRow key={[...route.numbers, route.channel].join()} route={route} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RouteRow({ route }: { readonly route: SystemRoute }) {
  const { numbers, channel, scenario, agent, language, time_zone: timeZone, hours, is_open: isOpen, closed } = route;
  const place = [language, timeZone].filter((one) => one !== null).join(", ");
  return (
    <li data-health={isOpen ? "healthy" : "degraded"}>
      <strong>{channel ?? numbers.join(", ")}</strong>
      <span>
        {scenario}
        {agent !== null && `, ${agent}`}
        {place !== "" && ` (${place})`}
      </span>
      <span className="hint">
        {hours === null ? "At all times" : `${hours}. ${isOpen ? "Open now" : "Closed now"}; otherwise ${closed ?? ""}`}
      </span>
    </li>
  );
}
