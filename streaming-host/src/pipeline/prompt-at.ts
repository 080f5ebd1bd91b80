/** An agent's prompt at one moment, which may name the day. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { dayIn } from "@voice/shared/platform/local-day";

/** What the conversation knows that a prompt may name. */
type Known = Pick<Parameters<SessionCatalog["renderPrompt"]>[1], "memory" | "previousAgent" | "handoffReason">;

export function promptAt(wallNowMs: number, catalog: SessionCatalog, agent: Agent, known: Known): string {
  const { timeZone = "UTC" } = catalog;
  return catalog.renderPrompt(agent, { ...known, timeZone, today: dayIn(timeZone, wallNowMs) });
}
