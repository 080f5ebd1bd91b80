/**
 * The e-mail address under which a client says that its user is known. It is part of what is known about the conversation,
 * so that prompts, greetings and models may use it (`context.user_email`). It proves nothing: whoever opens the socket
 * writes it.
 */
import { contextOf, memoryOfContext } from "./call-context.ts";

type Values = Readonly<Record<string, unknown>>;

/** What is added to a memory. */
export function memoryOfUserEmail(email: string | undefined, memory: Values): Values {
  return email === undefined ? {} : memoryOfContext({ ...contextOf(memory), user_email: email });
}
