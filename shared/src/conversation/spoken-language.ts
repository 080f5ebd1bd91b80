/**
 * The conversation's language, if the client names one. It is kept in the session's memory, so that it follows the
 * conversation, and agents see it as part of the call's context.
 */
import { languageTag } from "../config/kinds.ts";
import { contextOf, memoryOfContext } from "./call-context.ts";

const languageKey = "spoken_language";

type Values = Readonly<Record<string, unknown>>;

/** What is added to a memory. */
export function memoryOfLanguage(language: string, memory: Values): Values {
  return { [languageKey]: language, ...memoryOfContext({ ...contextOf(memory), language }) };
}

/** Undefined if none was named or the stored value is not a language tag. */
export function languageIn(memory: Values): string | undefined {
  const language = languageTag.schema.safeParse(memory[languageKey]);
  return language.success ? language.data : undefined;
}
