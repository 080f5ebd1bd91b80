/** Reads sound that is written in letters: JSON with base64 in it, a line of JSON for each piece, or server-sent events. */
import { VoiceError, explainedError } from "@voice/shared/platform/errors";
import { wordOf } from "@voice/shared/platform/foreign-facts";
import { parseJson } from "@voice/shared/platform/parse-json";
import { errorCodeIn, findAudio } from "./base64-audio.ts";

/** Words where sound was asked for. The next answer may be sound again. */
export class TextInsteadOfAudioError extends VoiceError {
  constructor(service: string, what: string, code: unknown) {
    const reason = `${service} answered ${what} in place of audio (code ${wordOf(code) ?? "none"})`;
    super("upstream_unavailable", reason, { reason });
  }
}

/** Reads the bytes that stand in the text. */
export interface BytesReader {
  readonly found: string | undefined;
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface TextAudioReaderOptions {
  readonly service: string;
  readonly mediaType: string;
  /** For the bytes that are found; they may have a header of their own. */
  createReader(sampleRateHz: number | undefined): BytesReader;
}

/** Five minutes of sound in base64; nobody waits for so long for one clause. */
const mostCharacters = 20 * 1024 * 1024;

export class TextAudioReader {
  readonly #options: TextAudioReaderOptions;
  readonly #decoder = new TextDecoder();
  #reader: BytesReader | undefined;
  /** What has come and has not been read. */
  #text = "";
  /** Up to here there is no line's end in it. */
  #searched = 0;
  #isEvents = false;
  /** The first letter, once there is one. */
  #first = "";
  #errorCode: unknown;

  constructor(options: TextAudioReaderOptions) {
    this.#options = options;
  }

  get container(): string {
    return this.#isEvents ? "events" : "JSON";
  }

  /** Undefined where no sound has been found. */
  get found(): string | undefined {
    return this.#reader?.found;
  }

  write(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#first === "") this.#begin();
    for (;;) {
      const end = this.#text.indexOf("\n", this.#searched);
      if (end === -1) break;
      // A document of several lines is none in its first; it is read at the end.
      const isRead = this.#readLine(this.#text.slice(0, end), false);
      if (!isRead && !this.#isEvents) {
        this.#searched = this.#text.length;
        break;
      }
      this.#text = this.#text.slice(end + 1);
      this.#searched = 0;
    }
    this.#searched = this.#text.length;
    if (this.#text.length > mostCharacters)
      throw explainedError("upstream_unavailable", `${this.#options.service} answered too much text`);
  }

  end(): void {
    this.#readLine(this.#text + this.#decoder.decode(), true);
    if (this.#reader === undefined) throw this.#failure(this.#what());
    this.#reader.end();
    if (this.#errorCode !== undefined) throw this.#failure("an error");
  }

  #begin(): void {
    const start = this.#text.replace(/^\uFEFF?\s*/, "");
    this.#first = start.slice(0, 1);
    if (start === "") return;
    this.#isEvents = this.#options.mediaType === "text/event-stream" || /^(?:data|event|id|retry)?:/.test(start);
  }

  /** False where it is no whole piece. */
  #readLine(raw: string, isLast: boolean): boolean {
    const line = raw.replace(/^\uFEFF/, "").trim();
    const data = this.#isEvents ? /^data:\s*(.*)$/s.exec(line)?.[1] : line;
    if (data === undefined || data === "" || data === "[DONE]") return true;
    const json = parseJson(data);
    if (json === undefined && !this.#isEvents && !isLast) return false;
    const isFailure = isError(json);
    const audio = findAudio(json ?? data, !isFailure && (this.#isEvents || this.#reader !== undefined));
    if (audio !== undefined) {
      this.#reader ??= this.#options.createReader(audio.sampleRateHz);
      this.#reader.write(audio.bytes);
    } else if (isFailure) this.#errorCode ??= errorCodeIn(json) ?? "none";
    return true;
  }

  #failure(what: string): VoiceError {
    return new TextInsteadOfAudioError(this.#options.service, what, this.#errorCode);
  }

  #what(): string {
    const { mediaType } = this.#options;
    if (this.#isEvents) return "events";
    if (this.#first === "{" || this.#first === "[") return "JSON";
    if (this.#first === "<") return "HTML";
    return mediaType === "" ? "text" : mediaType;
  }
}

const isError = (json: unknown): boolean =>
  typeof json === "object" && json !== null && ("error" in json || "detail" in json || "code" in json);
