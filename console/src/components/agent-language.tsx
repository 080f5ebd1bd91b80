/** In which language an agent speaks, for screen readers and for how words are broken (WCAG 3.1.2). */
import { createContext } from "react";

import type { AgentInfo } from "../api/service-api.ts";

/** Undefined where the agent names none, or is not in the catalog. */
export type LanguageOf = (agent: string) => string | undefined;

export const AgentLanguage = createContext<LanguageOf>(() => undefined);

export function languageOfAgents(agents: readonly Pick<AgentInfo, "name" | "language">[]): LanguageOf {
  const languages = new Map(agents.map(({ name, language }) => [name, language ?? undefined]));
  return (agent) => languages.get(agent);
}
