// A client whose types are made by openapi-typescript: what is written right compiles, and what is wrong does not.
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript.ts";

const client = createClient<paths>({ baseUrl: "https://voice.example/api/v1" });

export async function use(): Promise<readonly string[]> {
  const { data: session, error } = await client.GET("/sessions/{session_id}", {
    params: { path: { session_id: "s-1" } },
  });
  if (error !== undefined) return ["type" in error ? error.type : "unreadable"];
  const { data: call } = await client.POST("/calls/initiate", { body: { target_number: "+12025550123" } });
  // @ts-expect-error a number is text
  await client.POST("/calls/initiate", { body: { target_number: 12 } });
  // @ts-expect-error there is no such path
  await client.GET("/session");
  return [session.session_id, call?.call_id ?? ""];
}
