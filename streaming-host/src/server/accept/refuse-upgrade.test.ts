import { once } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { FakePeerStream } from "../../testing/fake-upgrade.ts";
import { refusalOf, refuseUnknownPath, refuseUpgrade } from "./refuse-upgrade.ts";

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

  it("says what the peer did wrong, and of a fault of ours nothing but that it is one", async () => {
    const detailOf = (error: unknown): unknown => {
      const { status, detail } = refusalOf(error);
      return [status, detail];
    };
    expect(detailOf(new BadRequestError("call_not_found", "No such call."))).toEqual([404, "No such call."]);
    expect(detailOf(new BadRequestError("audio_format_unsupported", "No Opus."))).toEqual([400, "No Opus."]);
    expect(detailOf(new VoiceError("unauthorized", "Send a token."))).toEqual([401, "Send a token."]);
    for (const error of [new VoiceError("cache_connection_failed", "redis-7 is away"), new Error("a defect")])
      expect(detailOf(error)).toEqual([503, "The service is not ready."]);
  });

  it("of a path where nothing is served says so, and keeps no connection of a peer that does not hang up", async () => {
    const stream = new FakePeerStream();
    refuseUnknownPath(stream, { url: "/nowhere?secret=1" });
    await once(stream, "close");
    expect(stream.status).toBe(404);
    expect(stream.answer).toContain('"instance":"/nowhere"');
    expect(stream.destroyed).toBe(true);
  });
});
