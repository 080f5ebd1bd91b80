import OpenAI from "openai";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { RecordedLog } from "../testing/recorded-log.ts";
import { requestModels } from "./openai/request-models.ts";
import { Reachability } from "./reachability.ts";

const everyMs = 15_000;

describe("whether a service can be reached", () => {
  it("is in the log when it cannot be, with the reason, and when it can be again, and not at each attempt", async () => {
    const clock = new VirtualClock();
    const logger = new RecordedLog();
    const statuses = [401, 401, 401, 200];
    const fetch = async (): Promise<Response> => new Response("{}", { status: statuses.shift() ?? 200 });
    const client = new OpenAI({ apiKey: "key", baseURL: "http://server.test/v1", maxRetries: 0, fetch });
    const service = "speech recognition";
    const reachability = new Reachability({
      service,
      reach: (signal) => requestModels(client, service, signal),
      clock,
      logger,
    });
    expect(reachability.state).toBe("not-asked");
    const changes: unknown[] = [];
    reachability.begin(() => changes.push(reachability.state));
    const attempts = statuses.length;
    await clock.advanceAsync(everyMs * attempts, everyMs);
    expect(statuses).toEqual([]);
    expect(logger.lines.map(({ level, sentence, fields }) => [level, sentence, fields["service"]])).toEqual([
      ["warn", "a service cannot be reached, or refuses access; it is asked again", "speech recognition"],
      ["info", "a service can be reached", "speech recognition"],
    ]);
    expect(logger.lines[0]?.fields["error"]).toMatchObject({
      reason: expect.stringContaining("answered 401: its key or token is not accepted"),
    });
    expect(changes).toEqual([expect.objectContaining({ code: "upstream_unavailable" }), "reached"]);
    reachability.close();
  });

  it("is asked again every minute while it works, and reported once it does not", async () => {
    const clock = new VirtualClock();
    let asked = 0;
    const reach = (): Promise<void> => {
      asked += 1;
      return asked < 3 ? Promise.resolve() : Promise.reject(new VoiceError("upstream_unavailable", "gone"));
    };
    const reachability = new Reachability({ service: "the model", reach, clock, logger: silentLogger });
    const changes: unknown[] = [];
    reachability.begin(() => changes.push(reachability.state));
    await clock.advanceAsync(125_000, 1000);
    expect(asked).toBe(3);
    expect(changes).toEqual(["reached", expect.objectContaining({ message: "gone" })]);
    reachability.close();
    await clock.advanceAsync(120_000, 1000);
    expect(asked).toBe(3);
  });
});
