import { VoiceError } from "../platform/errors.ts";

/** Thrown by a tool that would have changed something, before it has: whoever catches it knows that nothing was done. */
export class NotDoneError extends VoiceError {}
