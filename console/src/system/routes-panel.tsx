/** Which number or channel begins with which scenario, and whether somebody answers now. */
import type { SystemRoute } from "../api/system-api.ts";

export function RoutesPanel({ routes }: { readonly routes: readonly SystemRoute[] }) {
  return (
    <section className="panel" aria-labelledby="routes-title">
      <h2 id="routes-title">Numbers and channels</h2>
      {routes.length === 0 ? (
        <p className="hint">The catalog has no routes.yaml: every conversation begins with the same scenario.</p>
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
