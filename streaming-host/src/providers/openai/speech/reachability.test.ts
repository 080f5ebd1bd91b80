import OpenAI from "openai";
import { createUpstream } from "@voice/shared/platform/upstream";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { RecordedLog } from "../../../testing/recorded-log.ts";
import { Reachability } from "./reachability.ts";

const retry = { maxAttempts: 0, backoffFactor: 2, jitter: false };
const everyMs = 15_000;

describe("whether a speech server can be reached", () => {
  it("is in the log when it cannot be, with the reason, and when it can be again, and not at each attempt", async () => {
    const clock = new VirtualClock();
    const logger = new RecordedLog();
    const statuses = [401, 401, 401, 200];
    const fetch = async (): Promise<Response> => new Response("{}", { status: statuses.shift() ?? 200 });
    const reachability = new Reachability({
      service: "speech recognition",
      client: new OpenAI({ apiKey: "key", baseURL: "http://server.test/v1", maxRetries: 0, fetch }),
      upstream: createUpstream({ name: "server", retry, logger: silentLogger }),
      clock,
      logger,
    });
    const attempts = statuses.length;
    await clock.advanceAsync(everyMs * attempts, everyMs);
    expect(statuses).toEqual([]);
    expect(logger.lines.map(({ level, sentence, fields }) => [level, sentence, fields["service"]])).toEqual([
      ["warn", "a speech server is not ready; it is asked again", "speech recognition"],
      ["info", "a speech server is ready", "speech recognition"],
    ]);
    expect(logger.lines[0]?.fields["error"]).toMatchObject({
      reason: expect.stringContaining("answered 401: its key or token is not accepted"),
    });
    reachability.close();
  });
});
