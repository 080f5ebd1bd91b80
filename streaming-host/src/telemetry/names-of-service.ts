/**
 * Agents that clients define may have any name, and a new one each time. Metrics keep one series per name and are read by everybody who
 * operates the service, so all such agents share one name.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Attributes, Telemetry } from "@voice/shared/telemetry/telemetry";

const other = "other";

/** Telemetry whose metrics contain only the catalog's agent names, and only the models that its agents request. */
export function withNamesOfService(telemetry: Telemetry, { agents }: Pick<Catalog, "agents">): Telemetry {
  const known: ReadonlyMap<string, ReadonlySet<unknown>> = new Map([
    ["agent", new Set([...agents.values()].map(({ name }) => name))],
    ["gen_ai.request.model", new Set([...agents.values()].map(({ model }) => model.cascade.deploymentId))],
  ]);
  const bounded = (attributes: Attributes = {}): Attributes =>
    Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, known.get(key)?.has(value) === false ? other : value]),
    );
  return {
    isOn: telemetry.isOn,
    span: (start) => telemetry.span(start),
    count: (name, attributes, value) => telemetry.count(name, bounded(attributes), value),
    record: (name, value, attributes) => telemetry.record(name, value, bounded(attributes)),
    observe: (name, read) => telemetry.observe(name, read),
  };
}
