import { describe, expect, it } from "vitest";

import { createHttp } from "./request.ts";
import { createServiceApi } from "./service-api.ts";

const nobody = { token: () => Promise.resolve(undefined), refused: () => undefined };

function apiThatAnswers(message: string) {
  return createServiceApi(createHttp(() => Promise.resolve(Response.json({ message })), nobody));
}

describe("what the service says that it does now", () => {
  it("is a whole sentence beside the page's own, however the service ends it", async () => {
    const said = "The agent says goodbye.";
    expect(await apiThatAnswers("The agent says goodbye").end("session-1")).toBe(said);
    expect(await apiThatAnswers(said).end("session-1")).toBe(said);
  });
});
