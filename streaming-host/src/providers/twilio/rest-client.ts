/**
 * The part of Twilio's REST API (2010-04-01) that calls need: the resource Call, and its list. Names and values are those of
 * lib/rest/api/v2010/account/call.d.ts of the package `twilio` 6.3.1, which takes 21 MB for what is here (decision 064).
 */
import { VoiceError, UpstreamAccessError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";
import { meaningOfError } from "@voice/shared/calls/twilio/codes";
import type { ErrorCode } from "@voice/shared/platform/errors";

export interface TwilioAccess {
  readonly apiUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** For one request. */
  readonly requestTimeoutMs: number;
}

/** The fields of an answer that are used. */
const call = z.object({
  sid: z.string().min(1),
  status: z.string(),
  from: z.string().nullish(),
  to: z.string().nullish(),
  direction: z.string().nullish(),
  /** RFC 2822, in whole seconds. */
  date_created: z.string().nullish(),
});

export type TwilioCall = z.infer<typeof call>;

const calls = z.object({ calls: z.array(call) });

const number = z.object({
  voice_url: z.string().nullish(),
  voice_method: z.string().nullish(),
  status_callback: z.string().nullish(),
});

const numbers = z.object({ incoming_phone_numbers: z.array(number) });

/** A field with several values is sent several times. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

export class TwilioRestClient {
  readonly #access: TwilioAccess;

  constructor(access: TwilioAccess) {
    this.#access = access;
  }

  create(what: string, fields: Fields): Promise<TwilioCall> {
    return this.#ask(what, "POST", "/Calls.json", fields, call);
  }

  update(what: string, sid: string, fields: Fields): Promise<TwilioCall> {
    return this.#ask(what, "POST", `/Calls/${encodeURIComponent(sid)}.json`, fields, call);
  }

  fetch(what: string, sid: string): Promise<TwilioCall> {
    return this.#ask(what, "GET", `/Calls/${encodeURIComponent(sid)}.json`, {}, call);
  }

  async list(what: string, query: Fields): Promise<readonly TwilioCall[]> {
    return (await this.#ask(what, "GET", "/Calls.json", query, calls)).calls;
  }

  /** The account's numbers, with the addresses to which their calls go. */
  async numbers(what: string, phoneNumber: string): Promise<readonly z.infer<typeof number>[]> {
    const query = { PhoneNumber: phoneNumber };
    return (await this.#ask(what, "GET", "/IncomingPhoneNumbers.json", query, numbers)).incoming_phone_numbers;
  }

  async #ask<T>(what: string, method: "GET" | "POST", path: string, fields: Fields, schema: z.ZodType<T>): Promise<T> {
    const { apiUrl, accountSid, authToken, requestTimeoutMs } = this.#access;
    const url = new URL(`${apiUrl}/2010-04-01/Accounts/${accountSid}${path}`);
    const form = toForm(fields);
    if (method === "GET") url.search = form.toString();
    const signal = AbortSignal.timeout(requestTimeoutMs);
    let status: number;
    let text: string;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`,
          accept: "application/json",
        },
        ...(method === "POST" ? { body: form } : {}),
        redirect: "error",
        signal,
      });
      ({ status } = response);
      text = await response.text();
    } catch (cause) {
      const code = signal.aborted ? "upstream_timeout" : "upstream_unavailable";
      throw new VoiceError(code, `${what}: ${signal.aborted ? "no answer in time" : "no answer"}`, { cause });
    }
    const body = parseJson(text);
    if (status < 200 || status > 299) throw toTwilioError(what, status, twilioProblem.safeParse(body).data);
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new VoiceError("upstream_unavailable", `${what}: the answer is not one of Twilio's`, { cause: parsed.error });
  }
}

function toForm(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of value === undefined ? [] : [value].flat()) form.append(name, one);
  return form;
}

/** The body of every refusal: its message may quote numbers, so it is not read. */
const twilioProblem = z.object({ code: z.number().nullish() });

const accessHelp = "Twilio does not accept TWILIO_ACCOUNT_SID with TWILIO_AUTH_TOKEN";

/** "Call is not in-progress. Cannot redirect": it rings still, or is over. */
const notInProgress = 21_220;
/** "The requested resource … was not found". */
const noSuchResource = 20_404;

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  408: "upstream_timeout",
  429: "rate_limited",
  504: "upstream_timeout",
};

/** Twilio's codes are explained at `https://www.twilio.com/docs/api/errors/` and the code. */
function toTwilioError(what: string, status: number, problem: z.infer<typeof twilioProblem> | undefined): VoiceError {
  const code = problem?.code ?? undefined;
  if (status === 404 && code === noSuchResource)
    return new VoiceError("call_not_found", `${what}: Twilio knows no such call`);
  if (code === notInProgress)
    return new VoiceError("conflict", `${what}: the call is not in progress`, { retryable: true });
  if (status === 401) return new UpstreamAccessError(`${what} failed with 401`, accessHelp);
  const meaning = code === undefined ? undefined : meaningOfError(code);
  const failed = `${what} failed with ${status}${code === undefined ? "" : `/${code}`}`;
  if (meaning?.cause === "number") return new VoiceError("pstn_number_invalid", "the number cannot be called");
  if (meaning?.cause === "permission" || meaning?.cause === "configuration")
    return new UpstreamAccessError(`${failed}: ${meaning.about}`, meaning.about);
  if (meaning?.cause === "limit")
    return new VoiceError("rate_limited", `${failed}: ${meaning.about}`, { reason: meaning.about, retryable: true });
  // Without a code of Twilio's own, whoever answered is somebody on the way, and has decided nothing.
  const isDecision = code !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new VoiceError(codeByStatus[status] ?? "upstream_unavailable", failed, { retryable: !isDecision });
}
