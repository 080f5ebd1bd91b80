/**
 * Agents that clients make have names that may be anything, and another one each time: in metrics, which anybody who operates the
 * service reads, and which are kept apart by these names, they are one.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Attributes, Telemetry } from "@voice/shared/telemetry/telemetry";

const other = "other";

/** The telemetry in whose metrics agents have names of the catalog, and models those that its agents ask for. */
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
