/** The arguments of a call as the model wrote them. Pure. */
import { isPlainObject } from "../platform/plain-object.ts";

export type WrittenArguments =
  | { readonly value: unknown }
  /** Why they are not JSON. */
  | { readonly problem: string };

/** Some servers encode them twice, so a text is read as JSON where it is JSON. */
export function readWritten(argumentsJson: string): WrittenArguments {
  try {
    const value: unknown = JSON.parse(argumentsJson.trim() === "" ? "{}" : argumentsJson);
    return { value: typeof value === "string" ? JSON.parse(value) : value };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "unreadable" };
  }
}

/** For people who look at the call. Anything other than an object of named arguments is shown as plain text. */
export function shownArguments(argumentsJson: string): Readonly<Record<string, unknown>> {
  const written = readWritten(argumentsJson);
  return "value" in written && isPlainObject(written.value) ? written.value : { arguments: argumentsJson };
}
