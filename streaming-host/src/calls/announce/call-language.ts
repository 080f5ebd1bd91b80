/** The language of a call in which the communication service speaks instead of an agent. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { localeOf } from "@voice/shared/languages/locale-of";
import { languageIn } from "@voice/shared/conversation/spoken-language";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { Host } from "../../host/host.ts";

export type LanguageOfCall = (call: CallRecord) => Promise<string>;

export type LanguagesOfCatalog = Pick<Catalog, "agents" | "scenarios">;

/** LANG-4, for the agent that had the floor; before the conversation began, for the one that would have had it. */
export function createLanguageOfCall(
  { settings, state }: Host,
  { agents, scenarios }: LanguagesOfCatalog,
): LanguageOfCall {
  return async (call) => {
    const found = await state.sessions.get(call.sessionId);
    const session = typeof found === "string" ? undefined : found;
    const scenario = scenarios.get((session?.scenario ?? call.scenario ?? "").toLowerCase());
    const agent = agents.get((session?.activeAgent ?? call.agent ?? scenario?.startAgent ?? "").toLowerCase());
    return localeOf(
      agent?.speech.language ??
        languageIn(session?.memory ?? {}) ??
        call.language ??
        scenario?.language ??
        settings.sttLanguage,
    );
  };
}
