import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { refusalOf, refuseUpgrade } from "./refuse-upgrade.ts";

async function headOf(error: unknown): Promise<string> {
  const stream = new PassThrough();
  const answer = text(stream);
  refuseUpgrade(stream, "/api/v1/browser/conversation", refusalOf(error));
  return (await answer).split("\r\n\r\n", 1)[0] ?? "";
}

const expired = { field: "authorization", message: "it has expired", code: "invalid_token" };

describe("a refused upgrade", () => {
  it("says that a token is needed, or that the one it had is of no use", async () => {
    expect(await headOf(new VoiceError("unauthorized", "Send a bearer token."))).toMatch(
      /^HTTP\/1\.1 401 .*\r\nWWW-Authenticate: Bearer(\r\n|$)/s,
    );
    expect(await headOf(new BadRequestError("unauthorized", "The token has expired.", [expired]))).toContain(
      'WWW-Authenticate: Bearer error="invalid_token"',
    );
    expect(await headOf(new VoiceError("forbidden", "Only operators may do this."))).not.toContain("WWW-Authenticate");
  });

  it("says when to try again, where that may help", async () => {
    expect(await headOf(new VoiceError("dependency_not_ready", "not yet"))).toContain("Retry-After: 5");
    expect(await headOf(new VoiceError("not_found", "nothing there"))).not.toContain("Retry-After");
  });
});
