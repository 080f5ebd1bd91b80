/**
 * The language in which a conversation is led and the time zone of its caller, where somebody has named one. They are kept in
 * the session's memory, so that they go where the conversation goes, and told to the agents as part of what is known about
 * the call.
 */
import { languageTag, timeZone } from "../config/kinds.ts";
import { contextOf, memoryOfContext } from "./call-context.ts";

const languageKey = "spoken_language";
const timeZoneKey = "time_zone";

type Values = Readonly<Record<string, unknown>>;

/** What is added to a memory. */
export function memoryOfLanguage(language: string, memory: Values): Values {
  return { [languageKey]: language, ...memoryOfContext({ ...contextOf(memory), language }) };
}

export function memoryOfTimeZone(zone: string): Values {
  return { [timeZoneKey]: zone };
}

/** Undefined if none was named or the stored value is not a language tag. */
export function languageIn(memory: Values): string | undefined {
  const language = languageTag.schema.safeParse(memory[languageKey]);
  return language.success ? language.data : undefined;
}

/** Undefined where none was named, or what is kept under its name is no time zone. */
export function timeZoneIn(memory: Values): string | undefined {
  const zone = timeZone.schema.safeParse(memory[timeZoneKey]);
  return zone.success ? zone.data : undefined;
}
