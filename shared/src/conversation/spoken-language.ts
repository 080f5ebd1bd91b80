/**
 * The language of a conversation and the time zone of its caller, if they are known. They are part of the session's memory, so that they
 * follow the conversation, and are included in what agents are told about the call.
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

/** Undefined if none was named, or if the stored value is not a time zone. */
export function timeZoneIn(memory: Values): string | undefined {
  const zone = timeZone.schema.safeParse(memory[timeZoneKey]);
  return zone.success ? zone.data : undefined;
}
