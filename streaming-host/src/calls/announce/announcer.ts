/**
 * Words that the communication service itself plays to a call, when none of our hosts has its audio or only one
 * participant is to hear them. The service fetches the audio from the functions app, which reads it from the state
 * store.
 */
import { createHash, randomBytes } from "node:crypto";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import { announcementUrl } from "@voice/shared/calls/webhook-urls";
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { FileStore } from "@voice/shared/state/records/file-store";
import type { CallOperation, CallOperations } from "@voice/shared/state/ports/call-operations";
import type { CallRecord } from "@voice/shared/state/ports/call-store";

export interface AnnouncerOptions {
  readonly automation: Pick<CallAutomation, "play">;
  readonly operations: CallOperations;
  readonly announcements: FileStore;
  readonly settings: Pick<Settings, "baseUrl">;
  /** Synthesises the words: 16 kHz, mono. */
  readonly speak: SpeakWords;
  readonly logger: Logger;
}

export type SpeakWords = (text: string, language: string) => Promise<Int16Array>;

export interface Announcement {
  /** The same on every host for the same words in the same call, so that they are said once. */
  readonly id: string;
  readonly text: string;
  readonly language: string;
  /** The participant who hears the announcement; all participants if absent. */
  readonly to?: string | undefined;
  /** The text is the same in many calls, so its audio is worth caching. */
  readonly isFixed: boolean;
}

type Words = Pick<Announcement, "text" | "language">;

/** The sample rate at which the service plays audio to telephones. */
export const announcementRateHz = 16_000;
/** Fixed words are stored again each time; words about one caller expire soon after the call has heard them. */
const lifeSpanMs = 10 * 60_000;
/** The allowance from asking until the first word is heard, and from the last word until we are told. */
const overheadMs = 6000;
/** A call may be in any of the tags that a language has, and the audio of each is some 100 kB. */
const mostKept = 32;
/** The wait for words that another host has begun to say; they are short. */
const longestMs = 20_000;

export class Announcer {
  readonly #options: AnnouncerOptions;
  /** Words that must be playable even when the synthesiser is unavailable. */
  readonly #prepared = new Map<string, Buffer>();
  /** Words in the languages of calls; the least recently used first. */
  readonly #kept = new Map<string, Buffer>();
  #isStopped = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Never rejects: words that cannot be synthesised now are tried again when they are needed. */
  async prepare(texts: readonly string[], language: string): Promise<void> {
    for (const text of texts) {
      if (this.#isStopped) return;
      try {
        const words = { text, language };
        this.#prepared.set(keyOf(words), await this.#make(words));
      } catch (error) {
        // A host that stops while it starts (its port is taken) closes the voice in the middle of a word.
        if (this.#isStopped) return;
        this.#options.logger.warn({ error, code: toVoiceError(error).code }, "an announcement could not be prepared");
      }
    }
  }

  /** Prepares no more words. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves with whether the words were heard. Never rejects. */
  async say(call: CallRecord, announcement: Announcement): Promise<boolean> {
    const { logger } = this.#options;
    const { callId } = call;
    const say = () => this.#say(call, announcement);
    return (await warnIfItFails(logger, { callId }, "words were not said in a call", say)) ?? false;
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

  /** Resolves with the audio's duration. */
  async #play(announcement: Announcement, operation: CallOperation, callConnectionId: string): Promise<number> {
    const { automation, operations } = this.#options;
    try {
      const { audioUrl, durationMs } = await this.#publish(announcement);
      const { operationContext } = operation;
      await automation.play({ callConnectionId, audioUrl, to: announcement.to, operationContext });
      return durationMs;
    } catch (error) {
      // The service never got the request, so no event about it will come.
      await operations.settle(operation, { ok: false, reason: "the words could not be said" });
      throw error;
    }
  }

  async #publish(words: Announcement): Promise<{ readonly audioUrl: string; readonly durationMs: number }> {
    const { announcements, settings } = this.#options;
    if (settings.baseUrl === undefined) throw new VoiceError("dependency_not_ready", "BASE_URL is not set");
    const wav = words.isFixed ? await this.#fixed(words) : await this.#make(words);
    const name = words.isFixed ? nameOf(wav) : randomBytes(16).toString("base64url");
    await announcements.put(name, wav, lifeSpanMs);
    const durationMs = (wav.byteLength / 2 / announcementRateHz) * 1000;
    return { audioUrl: announcementUrl(settings.baseUrl, name), durationMs };
  }

  async #fixed(words: Words): Promise<Buffer> {
    const key = keyOf(words);
    const prepared = this.#prepared.get(key);
    if (prepared !== undefined) return prepared;
    const wav = this.#kept.get(key) ?? (await this.#make(words));
    this.#kept.delete(key);
    this.#kept.set(key, wav);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > mostKept) this.#kept.delete(oldest);
    return wav;
  }

  async #make({ text, language }: Words): Promise<Buffer> {
    const samples = await this.#options.speak(text, language);
    return encodeWav({ sampleRateHz: announcementRateHz, channels: 1, samples });
  }
}

function keyOf({ text, language }: Words): string {
  return `${language} ${text}`;
}

function nameOf(wav: Uint8Array): string {
  return createHash("sha256").update(wav).digest("base64url").slice(0, 22);
}
