import { createHttpHeaders, createPipelineRequest, RestError } from "@azure/core-rest-pipeline";
import type { ErrorCode } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { toCallError } from "./azure/call-automation/errors.ts";
import { ServiceHealth } from "./call-service-health.ts";

function rig() {
  let nowMs = 0;
  const failures: ErrorCode[] = [];
  const health = new ServiceHealth(
    () => nowMs,
    ({ code }) => failures.push(code),
  );
  const answered = (status: number, code?: string) => {
    const request = createPipelineRequest({ url: "https://comm.example.com" });
    const bodyAsText = code === undefined ? "" : JSON.stringify({ error: { code, message: "no" } });
    const response = { request, headers: createHttpHeaders(), status, bodyAsText };
    health.failed(toCallError(new RestError("no", { statusCode: status, response }), "placing a call"));
  };
  return { health, failures, answered, pass: (ms: number) => (nowMs += ms) };
}

describe("the health of the communication service", () => {
  it("is told to operators while it refuses who asks, until it has done something again", () => {
    const { health, failures, answered, pass } = rig();
    answered(401);
    pass(3_600_000);
    expect(health.problem).toBe("the communication service does not accept our key or identity");
    health.worked();
    expect(health.problem).toBeUndefined();
    expect(failures).toEqual(["upstream_unavailable"]);
  });

  it("is in doubt for half a minute after a failure that may pass, and each is counted", () => {
    const { health, failures, answered, pass } = rig();
    for (const status of [500, 429, 503]) answered(status);
    pass(29_000);
    expect(health.problem).toBe("placing a call failed with 503");
    pass(1000);
    expect(health.problem).toBeUndefined();
    expect(failures).toEqual(["upstream_unavailable", "rate_limited", "upstream_unavailable"]);
  });

  it("is good where it refuses one request for what is wrong with that", () => {
    const { health, failures, answered } = rig();
    answered(503);
    answered(400, "8523");
    answered(404, "8522");
    answered(409, "8528");
    expect(health.problem).toBeUndefined();
    expect(failures).toEqual(["upstream_unavailable"]);
  });

  it("[LOST-3] is in doubt where something else answers in its place", () => {
    for (const status of [400, 404, 410]) {
      const { health, answered } = rig();
      answered(status);
      expect(health.problem).toBe(`placing a call failed with ${status}, and not in the service's words`);
    }
  });
});
