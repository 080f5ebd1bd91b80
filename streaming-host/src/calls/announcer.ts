/**
 * Words that the communication service itself plays to a call: where nobody of ours has its audio, or only one of those in
 * the call is to hear them. The service fetches them from the functions app, where they wait for it in the state.
 */
import { createHash, randomBytes } from "node:crypto";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import { announcementUrl } from "@voice/shared/calls/webhook-urls";
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { FileStore } from "@voice/shared/state/ports/file-store";
import type { CallOperation, CallOperations } from "@voice/shared/state/ports/call-operations";
import type { CallRecord } from "@voice/shared/state/ports/call-store";

export interface AnnouncerOptions {
  readonly automation: Pick<CallAutomation, "play">;
  readonly operations: CallOperations;
  readonly announcements: FileStore;
  readonly settings: Pick<Settings, "baseUrl">;
  /** Makes the words audible: 16 kHz, mono. */
  readonly speak: SpeakWords;
  readonly logger: Logger;
}

export type SpeakWords = (text: string) => Promise<Int16Array>;

export interface Announcement {
  /** The same on every host for the same words in the same call: they are said once. */
  readonly id: string;
  readonly text: string;
  /** Who hears it; everybody in the call where absent. */
  readonly to?: string | undefined;
  /** Said in many calls, so that its audio is worth keeping. */
  readonly isFixed: boolean;
}

/** What the service's telephones are spoken to at. */
export const announcementRateHz = 16_000;
/** A fixed one is put there again each time; one about a caller is gone soon after the call has heard it. */
const lifeSpanMs = 10 * 60_000;
/** From asking until the first word is heard, and from the last one until we are told. */
const overheadMs = 6000;
/** For words that another host has begun to say: they are short. */
const longestMs = 20_000;

export class Announcer {
  readonly #options: AnnouncerOptions;
  /** What must not need a synthesiser when it is needed. */
  readonly #kept = new Map<string, Buffer>();

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Never rejects: what cannot be made now is made when it is needed, if it can be then. */
  async prepare(texts: readonly string[]): Promise<void> {
    for (const text of texts)
      await this.#fixed(text).catch((error: unknown) =>
        this.#options.logger.warn({ error, code: toVoiceError(error).code }, "an announcement could not be prepared"),
      );
  }

  /** Resolves when it was heard, or was not: with whether it was. Never rejects. */
  async say(call: CallRecord, announcement: Announcement): Promise<boolean> {
    try {
      return await this.#say(call, announcement);
    } catch (error) {
      const { code } = toVoiceError(error);
      this.#options.logger.warn({ error, callId: call.callId, code }, "words were not said in a call");
      return false;
    }
  }

  async #say({ callId, callConnectionId }: CallRecord, announcement: Announcement): Promise<boolean> {
    const { operations } = this.#options;
    const operation = { callId, operationContext: `say:${announcement.id}` };
    if (callConnectionId === undefined) return false;
    let timeoutMs = longestMs;
    if ((await operations.begin(operation)).isNew)
      timeoutMs = overheadMs + (await this.#play(announcement, operation, callConnectionId));
    return (await operations.outcome(operation, { timeoutMs }))?.ok === true;
  }

  /** Resolves with how long it is. */
  async #play(announcement: Announcement, operation: CallOperation, callConnectionId: string): Promise<number> {
    const { automation, operations } = this.#options;
    try {
      const { audioUrl, durationMs } = await this.#publish(announcement);
      const { operationContext } = operation;
      await automation.play({ callConnectionId, audioUrl, to: announcement.to, operationContext });
      return durationMs;
    } catch (error) {
      // Nobody waits for an event about words that the service has never heard of.
      await operations.settle(operation, { ok: false, reason: "the words could not be said" });
      throw error;
    }
  }

  async #publish({ text, isFixed }: Announcement): Promise<{ readonly audioUrl: string; readonly durationMs: number }> {
    const { announcements, settings } = this.#options;
    if (settings.baseUrl === undefined) throw new VoiceError("dependency_not_ready", "BASE_URL is not set");
    const wav = isFixed ? await this.#fixed(text) : await this.#make(text);
    const name = isFixed ? nameOf(wav) : randomBytes(16).toString("base64url");
    await announcements.put(name, wav, lifeSpanMs);
    const durationMs = (wav.byteLength / 2 / announcementRateHz) * 1000;
    return { audioUrl: announcementUrl(settings.baseUrl, name), durationMs };
  }

  async #fixed(text: string): Promise<Buffer> {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const wav = await this.#make(text);
    this.#kept.set(text, wav);
    return wav;
  }

  async #make(text: string): Promise<Buffer> {
    const samples = await this.#options.speak(text);
    return encodeWav({ sampleRateHz: announcementRateHz, channels: 1, samples });
  }
}

function nameOf(wav: Uint8Array): string {
  return createHash("sha256").update(wav).digest("base64url").slice(0, 22);
}
