/** LANG-11: a session goes on in the language that the caller speaks, among those of its scenario. */
import { identifyLanguage, loadLanguages } from "../../pipeline/listening/identify-language.ts";
import type { SessionNotice } from "../../transports/transport.ts";
import { CallerLanguage } from "../conversation/caller-language.ts";
import type { HeardLanguage } from "../conversation/caller-language.ts";
import type { LiveSession } from "./live-session.ts";

/** Called with each final text, before it is answered. */
export type FollowLanguage = (heard: HeardLanguage) => void;

export function followCaller(
  session: Pick<LiveSession, "conversation" | "handle">,
  notify: (notice: SessionNotice) => void,
): FollowLanguage {
  const { conversation } = session;
  // Where a recogniser tells by itself, nothing is lost by it.
  if (conversation.catalog.scenario.languages !== undefined) void loadLanguages();
  const caller = new CallerLanguage(
    () => conversation.agent.speech.languages ?? [],
    () => conversation.agent.speech.language,
    identifyLanguage,
  );
  return (heard) => {
    const found = caller.hear(heard);
    if (found === undefined) return;
    const { language: from } = conversation.agent.speech;
    session.handle({ type: "language-changed", language: found });
    const { language = found } = conversation.agent.speech;
    notify({ type: "event", payload: { name: "language_changed", language, ...(from !== undefined && { from }) } });
  };
}
