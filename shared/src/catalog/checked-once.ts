/**
 * Caches the checked and compiled form of session-scoped agents, once per version of their document, because every
 * request and every change reads the session's catalog again.
 */
import { createHash } from "node:crypto";
import type { Steps } from "../platform/steps.ts";
import type { Agent } from "./agent.ts";
import type { Catalog } from "./catalog.ts";
import type { KnownTools } from "./known-tools.ts";
import { RecentlyUsed } from "../platform/recently-used.ts";

/** Characters of documents and of the sentences made from them: about 100 of the largest agents, 50 MB. */
const maxRememberedCharacters = 24_000_000;

const byCatalog = new WeakMap<Catalog, WeakMap<KnownTools, RecentlyUsed<Agent>>>();

/** The agent from the cache, or the result of `check`, which is cached if it is an agent. */
export function* checkedOnce<Refused extends object>(
  document: unknown,
  { catalog, known, siblings }: { catalog: Catalog; known: KnownTools; siblings: readonly Agent[] },
  check: () => Steps<{ readonly ok: true; readonly value: Agent } | Refused>,
): Steps<{ readonly ok: true; readonly value: Agent } | Refused> {
  const text = JSON.stringify([document, siblings.map(({ name, handoffTrigger }) => [name, handoffTrigger])]);
  const key = createHash("sha256").update(text).digest("base64");
  const remembered = rememberedOf(catalog, known);
  const before = remembered.get(key);
  if (before !== undefined) return { ok: true, value: before };
  yield;
  const checked = yield* check();
  if ("value" in checked) remembered.set(key, checked.value, text.length + weightOf(checked.value));
  return checked;
}

function rememberedOf(catalog: Catalog, known: KnownTools): RecentlyUsed<Agent> {
  const byTools = byCatalog.get(catalog) ?? new WeakMap<KnownTools, RecentlyUsed<Agent>>();
  byCatalog.set(catalog, byTools);
  const remembered = byTools.get(known) ?? new RecentlyUsed<Agent>(maxRememberedCharacters);
  byTools.set(known, remembered);
  return remembered;
}

function weightOf({ examples }: Agent): number {
  return examples.reduce((sum, example) => sum + example.length, 0);
}
