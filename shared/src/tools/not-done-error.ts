import { VoiceError } from "../platform/errors.ts";

/** Thrown by a tool with side effects before it has changed anything: whoever catches it knows that nothing was done. */
export class NotDoneError extends VoiceError {}
