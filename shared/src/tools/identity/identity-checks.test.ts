import { describe, expect, it } from "vitest";
import { VoiceError } from "../../platform/errors.ts";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { createMemoryState } from "../../state/memory/create-memory-state.ts";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import type { Customer } from "../customer.ts";
import { demoTools } from "../../demo/demo-parts.ts";
import { runTools, type ToolCallResult } from "../run-tools.ts";
import { createIdentityChecks, type IdentityChecks } from "./identity-checks.ts";

const clock = new VirtualClock();

function newChecks(showsCodes = true): IdentityChecks {
  const { counters } = createMemoryState({ clock });
  return createIdentityChecks(counters, () => "ada", showsCodes);
}

const customer: Customer = {
  id: "profile-demo",
  document: defaultProfile,
  update: () => Promise.reject(new Error("nothing changes")),
};

/** Runs in a session of its own, for the default customer. */
async function call(
  name: string,
  args: object,
  checks: IdentityChecks,
  memory: ToolCallResult["memory"] = {},
): Promise<ToolCallResult> {
  const [result] = await runTools([{ id: "1", name, argumentsJson: JSON.stringify(args) }], {
    tools: demoTools,
    context: { sessionId: "s", turnId: "t", agent: "a", memory, clock, customer, checks },
    interrupted: new AbortController().signal,
  });
  if (result === undefined) throw new Error("no result");
  return result;
}

describe("guesses at who somebody is", () => {
  const right = { ssn_last4: "7296" };
  const wrong = { ssn_last4: "0000" };
  const guess = async (args: object, checks: IdentityChecks) => (await call("verify_identity", args, checks)).result;

  it("[ACCESS-12b] are counted beyond the session that they are made in", async () => {
    const checks = newChecks();
    for (const error of ["wrong_details", "wrong_details", "too_many_attempts"])
      expect(await guess(wrong, checks)).toMatchObject({ error });
    expect(await guess(right, checks)).toMatchObject({ error: "too_many_attempts" });
    clock.advance(24 * 60 * 60 * 1000);
    expect(await guess(right, checks)).toMatchObject({ success: true });
  });

  it("[ACCESS-12a] begin anew after one that was right", async () => {
    const checks = newChecks();
    for (const args of [wrong, wrong, right, wrong]) await guess(args, checks);
    expect(await guess(wrong, checks)).toMatchObject({ error: "wrong_details" });
  });

  it("[ACCESS-12b] at a code are not given back by another code", async () => {
    const checks = newChecks();
    const memory = { code_sent_at_ms: clock.wallNow() };
    for (let sent = 0; sent < 3; sent += 1) {
      const { result } = await call("send_code", {}, checks);
      const code = result["demo_code"] === "000000" ? "000001" : "000000";
      expect((await call("verify_code", { code }, checks, memory)).result["error"]).toBe("wrong_code");
    }
    const { result, memory: sent } = await call("send_code", {}, checks);
    const late = await call("verify_code", { code: result["demo_code"] }, checks, sent);
    expect(late.result["error"]).toBe("too_many_attempts");
  });

  it("[ACCESS-12d] cannot be made while nobody can count them", async () => {
    const broken: IdentityChecks = {
      showsCodes: true,
      countTry: () => Promise.reject(new VoiceError("cache_connection_failed", "away")),
      clearTries: () => Promise.resolve(),
    };
    expect(await guess(right, broken)).toMatchObject({ success: false, error: "cache_connection_failed" });
  });
});

it("[ACCESS-13] a code that was sent is shown in development only", async () => {
  expect((await call("send_code", {}, newChecks())).result).toHaveProperty("demo_code");
  const { result } = await call("send_code", {}, newChecks(false));
  expect(result).toMatchObject({ success: true });
  expect(result).not.toHaveProperty("demo_code");
});
