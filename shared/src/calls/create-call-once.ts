/** A call whose request or event may be repeated is stored by whoever is first. */
import { VoiceError } from "../platform/errors.ts";
import type { CallStore, NewCall } from "../state/ports/call-store.ts";

export async function createCallOnce(calls: Pick<CallStore, "create">, call: NewCall): Promise<void> {
  try {
    await calls.create(call);
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "conflict") throw error;
  }
}
