/** Whether anything answers at an address. Credentials are not sent, so the answer to a stranger is enough. */
import { VoiceError } from "@voice/shared/platform/errors";

/** What a gateway answers for a service behind it that is away (RFC 9110, sections 15.6.3 to 15.6.5). */
const isAway = new Set([502, 503, 504]);

/** Rejects if nothing answers. `service`: for the reason, such as `the realtime model`. */
export async function reachAddress(url: URL, service: string, signal: AbortSignal): Promise<void> {
  const { status } = await open(url, service, signal);
  if (!isAway.has(status)) return;
  const reason = `${service}'s endpoint answered ${status}`;
  throw new VoiceError("upstream_unavailable", reason, { reason });
}

async function open(url: URL, service: string, signal: AbortSignal): Promise<Response> {
  try {
    const response = await fetch(url, { redirect: "manual", signal });
    await response.body?.cancel();
    return response;
  } catch (cause) {
    signal.throwIfAborted();
    const reason = `${service}'s endpoint could not be reached`;
    throw new VoiceError("upstream_unavailable", reason, { cause, reason });
  }
}
