// A client that is made by @hey-api/openapi-ts: what is written right compiles, and what is wrong does not.
import { callsInitiate, sessionsGet } from "./hey-api/index.ts";

export async function use(): Promise<readonly string[]> {
  const { data: session } = await sessionsGet({ path: { session_id: "s-1" } });
  const { data: call } = await callsInitiate({ body: { target_number: "+12025550123" } });
  // @ts-expect-error a number is text
  await callsInitiate({ body: { target_number: 12 } });
  // @ts-expect-error the session is to be named
  await sessionsGet({});
  return [session?.session_id ?? "", call?.call_id ?? ""];
}
