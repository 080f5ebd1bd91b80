/**
 * The user's e-mail address as claimed by the client. It is part of the conversation's context, so that prompts,
 * greetings and models may use it (`context.user_email`). It proves nothing, because any client can set it.
 */
import { contextOf, memoryOfContext } from "./call-context.ts";

type Values = Readonly<Record<string, unknown>>;

/** What is added to a memory. */
export function memoryOfUserEmail(email: string | undefined, memory: Values): Values {
  return email === undefined ? {} : memoryOfContext({ ...contextOf(memory), user_email: email });
}
