/**
 * Translates the Speech SDK's failures into our errors. The SDK reports them in prose that can contain the connection's
 * URL with the key in it, so only numbers are extracted, and the text is never passed on.
 */
import { UpstreamAccessError, VoiceError, explainedError } from "@voice/shared/platform/errors";

export type SpeechFailure = {
  /** The SDK's `errorDetails`. */
  readonly details: string;
  /** The socket's close code, if known; the details often lack it. */
  readonly closeCode?: number | undefined;
};

/** The service rejected the request (an unknown voice, an invalid SSML document) and would reject it again. */
export class SpeechRequestRefusedError extends VoiceError {
  constructor(status: number) {
    const reason = `the speech service refused the request with ${status}`;
    super("upstream_unavailable", reason, { retryable: false, reason });
  }
}

const refusedHandshake = /server response: (\d{3})/;
const closedSocket = /error code: (\d{4})/;

export function toSpeechError({ details, closeCode }: SpeechFailure): VoiceError {
  const status = readNumber(refusedHandshake, details);
  if (status !== undefined) return fromStatus(status);
  const code = readNumber(closedSocket, details) ?? closeCode;
  switch (code) {
    case 4429:
      return explainedError("speech_quota_exceeded", "the speech service closed the connection: quota exceeded");
    case 1007:
    case 1002:
    case 1003:
    case 4000:
      return new SpeechRequestRefusedError(code);
    case undefined:
      return explainedError("speech_region_unavailable", "the connection to the speech service failed");
    default:
      return explainedError("speech_region_unavailable", `the speech service closed the connection with ${code}`);
  }
}

function fromStatus(status: number): VoiceError {
  const message = `the speech service refused the connection with ${status}`;
  if (status === 429) return explainedError("speech_quota_exceeded", message);
  if (status === 401 || status === 403) return new UpstreamAccessError(message, message);
  return explainedError("speech_region_unavailable", message, { retryable: status >= 500 });
}

function readNumber(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
