/**
 * The language in which a conversation is led, where its peer names one. It is kept in the session's memory, so that it goes
 * where the conversation goes, and told to the agents as part of what is known about the call.
 */
import { languageTag } from "../config/kinds.ts";
import { contextOf, memoryOfContext } from "./call-context.ts";

const languageKey = "spoken_language";

type Values = Readonly<Record<string, unknown>>;

/** What is added to a memory. */
export function memoryOfLanguage(language: string, memory: Values): Values {
  return { [languageKey]: language, ...memoryOfContext({ ...contextOf(memory), language }) };
}

/** Undefined where none was named, or what is kept under its name is no language. */
export function languageIn(memory: Values): string | undefined {
  const language = languageTag.schema.safeParse(memory[languageKey]);
  return language.success ? language.data : undefined;
}
