/**
 * The part of Twilio's REST API (2010-04-01) that calls need: the resource Call, and its list. Names and values are those of
 * lib/rest/api/v2010/account/call.d.ts of the package `twilio` 6.3.1, which takes 21 MB for what is here (decision 064).
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";
import { toTwilioError, twilioProblem } from "./errors.ts";

export interface TwilioAccess {
  readonly apiUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** For one request. */
  readonly requestTimeoutMs: number;
}

/** Those that are used, of an answer. */
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

  /** Of the account, with where its calls go. */
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
