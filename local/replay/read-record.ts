/** A flight record from wherever it is: a file, or a session of a running service. */
import { readFile } from "node:fs/promises";
import { flightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import type { FlightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import { VoiceError } from "@voice/shared/platform/errors";
import { z } from "zod";

/** What the service says of a request that it refuses (RFC 9457). */
const problem = z.object({ detail: z.string() });

export interface RecordSource {
  /** A file that ends in `.json`, or a session's id. */
  readonly name: string;
  readonly url: URL;
  /** The token of somebody who may see the session; undefined where authentication is off. */
  readonly token: string | undefined;
}

/** Rejects with what is wrong in one sentence. */
export async function readRecord(source: RecordSource): Promise<FlightRecord> {
  const text = source.name.endsWith(".json") ? await readFile(source.name, "utf8") : await fetchRecord(source);
  const parsed = flightRecord.safeParse(jsonOf(text, source.name));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new VoiceError(
    "validation_error",
    `${source.name} is no flight record that this version can read: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new VoiceError("validation_error", `${name} is not JSON`, { cause });
  }
}

async function fetchRecord({ name, url, token }: RecordSource): Promise<string> {
  const target = new URL(`/api/v1/sessions/${encodeURIComponent(name)}/flight-record`, url);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(target, { headers }).catch((cause: unknown) => {
    throw new VoiceError("upstream_unavailable", `no service at ${url.href}: is npm start running?`, { cause });
  });
  const text = await response.text();
  if (response.ok) return text;
  const refused = problem.safeParse(jsonOf(text, target.href));
  throw new VoiceError("not_found", refused.success ? refused.data.detail : `${target.href} says ${response.status}`);
}
