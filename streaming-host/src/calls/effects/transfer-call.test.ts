import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { effectWords } from "../../session/conversation/host-effects.ts";
import { settings, startConnectedCall, type CallRig } from "../../testing/call-rig.ts";

const escalate = { type: "escalate", reason: "asked", id: "1" } as const;
const escalateAgain = { ...escalate, id: "2" } as const;

const lost = new VoiceError("upstream_timeout", "no answer", { retryable: true });

async function failures({ state }: CallRig): Promise<readonly unknown[]> {
  return (await state.calls.events("call-1")).filter(({ type }) => type === "transfer.failed");
}

describe("a transfer", () => {
  it("[EFFECT-12a] shows our own number to the phone that is called", async () => {
    const rig = await startConnectedCall();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    expect(rig.requests).toMatchObject([{ operation: "transfer", details: { callerNumber: "+12025550100" } }]);
  });

  it("[EFFECT-10] checks after a failure whether the call is still connected, and opens its missing stream", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: false, reason: "busy" });
    expect(rig.operations()).toEqual(["transfer", "stateOf", "startStream"]);
  });

  it("[EFFECT-10] says nothing into a call that is over", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    rig.serviceSays("gone");
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: false, reason: "the call is over" });
    expect(rig.operations()).not.toContain("startStream");
  });

  it("[EFFECT-10] says why it failed where the service does not say what became of the call", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    rig.failures.push(new VoiceError("upstream_unavailable", "no answer"));
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: false, reason: "busy" });
    expect(rig.operations()).toEqual(["transfer", "stateOf"]);
  });

  it("[EFFECT-10] waits until the call is established again", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    rig.serviceSays("connecting");
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    await rig.settle(900);
    expect(rig.operations()).toEqual(["transfer", "stateOf", "stateOf"]);
    rig.serviceSays("connected");
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: false, reason: "busy" });
    expect(rig.operations().at(-1)).toBe("startStream");
  });

  it("[EFFECT-5] escalates to the person in the settings, and resolves when they have taken the call", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    expect(rig.requests).toMatchObject([{ operation: "transfer", details: { target: "+12025550150" } }]);
    await rig.tell("CallTransferAccepted", "transfer:1");
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-1] refuses a second transfer while one is under way, and allows it when that has failed", async () => {
    const rig = await startConnectedCall();
    const first = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    expect(await rig.control.carryOut(escalateAgain, "connection-1")).toMatchObject({ ok: false });
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    await rig.settle(1000);
    expect(await first).toEqual({ ok: false, reason: "busy" });
    const again = rig.control.carryOut(escalateAgain, "connection-1");
    await rig.settle();
    await rig.tell("CallTransferAccepted", "transfer:2");
    await rig.settle(1000);
    expect(await again).toEqual({ ok: true });
    expect(rig.operations().filter((name) => name === "transfer")).toEqual(["transfer", "transfer"]);
  });

  it("[EFFECT-4] gives a reason that can be said, and writes it down", async () => {
    const rig = await startConnectedCall();
    rig.failures.push(new VoiceError("pstn_number_invalid", "internal details"));
    const transfer = { type: "transfer", target: "+12025550199", reason: "asked" } as const;
    expect(await rig.control.carryOut(transfer, "connection-1")).toEqual({
      ok: false,
      reason: "the number is not valid",
    });
    const unknown = { type: "transfer", target: "claims", reason: "asked" } as const;
    expect(await rig.control.carryOut(unknown, "connection-1")).toMatchObject({ ok: false });
    const log = await rig.state.calls.events("call-1");
    expect(log.map(({ type }) => type)).toContain("transfer.failed");
  });

  it.each([
    ["+19005550100", "any"],
    ["+911", "any"],
    ["4:+19005550100", "any"],
    ["4:911", "any"],
    ["sip:+19005550100@carrier.example", "any"],
    ["+12025550199", "DE"],
  ])("[PLACE-4] asks the service for none to %s while %s is allowed", async (target, allowed) => {
    const rig = await startConnectedCall({ CALL_ALLOWED_DESTINATIONS: allowed });
    const outcome = await rig.control.carryOut({ type: "transfer", target, reason: "asked" }, "connection-1");
    expect(outcome).toEqual({ ok: false, reason: "that number may not be called" });
    expect(rig.requests).toEqual([]);
  });

  it("[PLACE-4] trusts the numbers that the settings themselves name", async () => {
    const rig = await startConnectedCall({ CALL_ALLOWED_DESTINATIONS: "DE" });
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    expect(rig.operations()).toEqual(["transfer"]);
  });

  it("[EFFECT-6] [TAKE-5] waits for a transfer that another host has begun, and asks the service no second one", async () => {
    const rig = await startConnectedCall();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    const again = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    const [first] = rig.repetitions();
    expect(first).toMatchObject({ id: "transfer:1" });
    expect(rig.repetitions()).toEqual([first, first]); // for the service, one request
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    await rig.settle(1000);
    expect(await again).toEqual({ ok: false, reason: "busy" });
  });

  it("[EFFECT-6] gives the outcome of a finished transfer again", async () => {
    const rig = await startConnectedCall();
    const first = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    await rig.settle(1000);
    expect(await rig.control.carryOut(escalate, "connection-1")).toEqual(await first);
    expect(rig.operations().filter((name) => name === "transfer")).toEqual(["transfer"]);
  });

  it("[EFFECT-4] [CACHE-1] counts an effect as done even if its outcome could not be stored", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    const away = (): Promise<never> => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    Object.assign(rig.state.calls, { appendEvent: away });
    await expect(rig.tell("CallTransferAccepted", "transfer:1")).rejects.toThrow("away");
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-4] [CACHE-1] is asked for although the store goes away just before", async () => {
    const rig = await startConnectedCall();
    rig.state.callOperations.begin = () => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    expect(rig.operations()).toEqual(["transfer"]);
    await rig.tell("CallTransferAccepted", "transfer:1");
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-4] tells one transfer that is under way from one that failed", async () => {
    const rig = await startConnectedCall();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    const again = await rig.control.carryOut(escalateAgain, "connection-1");
    expect(effectWords(escalate, again)).toBe("patience");
  });

  it("[EFFECT-8] tells the person who takes the call the reason and the conversation's id", async () => {
    const rig = await startConnectedCall();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    const context = { Reason: "asked", "Session-Id": "session-1" };
    expect(rig.requests).toMatchObject([{ operation: "transfer", details: { context } }]);
  });

  it("[EFFECT-6] [TAKE-5] learns of an outcome that came while no host was there to wait for it", async () => {
    const rig = await startConnectedCall();
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { transferId: "1" }); // begun by a host that is gone
    await rig.tell("CallTransferFailed", "transfer:1", 486);
    expect(await rig.control.carryOut(escalate, "connection-1")).toEqual({ ok: false, reason: "busy" });
    expect(rig.operations()).toEqual([]);
  });

  it("[EFFECT-15a] [ONCE-3] is asked for again, the same, until it is known that it is under way", async () => {
    const rig = await startConnectedCall();
    rig.during(async () => {
      if (rig.requests.length <= 2) throw lost;
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(5000);
    expect(rig.operations()).toEqual(["transfer", "transfer", "transfer"]);
    expect(new Set(rig.requests.map(({ details }) => JSON.stringify(details))).size).toBe(1);
    await rig.tell("CallTransferAccepted", "transfer:1");
    expect(await outcome).toEqual({ ok: true });
    expect(await failures(rig)).toEqual([]);
  });

  it("[EFFECT-15d] has succeeded when the service reports that, although it has never answered", async () => {
    const rig = await startConnectedCall();
    rig.during(async () => {
      throw lost;
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    await rig.tell("CallTransferAccepted", "transfer:1");
    await rig.settle(10_000);
    expect(await outcome).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["transfer"]);
  });

  it.each(["call_not_found", "conflict", "upstream_unavailable"] as const)(
    "[EFFECT-15c] may be under way if the service refuses to do it again (%s)",
    async (code) => {
      const rig = await startConnectedCall();
      rig.failures.push(lost, new VoiceError(code, "no", { retryable: false }));
      const outcome = rig.control.carryOut(escalate, "connection-1");
      await rig.settle(20_000);
      expect(rig.operations().filter((operation) => operation !== "stateOf")).toEqual(["transfer", "transfer"]);
      await rig.tell("CallTransferAccepted", "transfer:1");
      expect(await outcome).toEqual({ ok: true });
      expect(await failures(rig)).toEqual([]);
    },
  );

  it("[EFFECT-15c] has failed if the number turns out to be invalid, whatever became of the first request", async () => {
    const rig = await startConnectedCall();
    rig.failures.push(lost, new VoiceError("pstn_number_invalid", "internal details"));
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(3000);
    expect(await outcome).toEqual({ ok: false, reason: "the number is not valid" });
  });

  it("[EFFECT-15c] has failed for the reason that the service gives as long as others may call", async () => {
    const rig = await startConnectedCall();
    rig.during(async ({ operation }) => {
      if (operation === "transfer") throw new VoiceError("rate_limited", "no");
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(settings.commCallTimeoutMs + 1000);
    expect(await outcome).toEqual({ ok: false, reason: "the telephone service is busy" });
  });

  it("[EFFECT-15b] [EFFECT-15e] has failed when nobody ever knew whether it was under way, and the caller is still there", async () => {
    const rig = await startConnectedCall();
    rig.during(async ({ operation }) => {
      if (operation === "transfer") throw lost;
    });
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(settings.commCallTimeoutMs + 1000);
    expect(await outcome).toEqual({ ok: false, reason: "no answer" });
  });

  it("[EFFECT-41] is not said to have had no answer when the call has left us and nothing is reported", async () => {
    const rig = await startConnectedCall();
    let isOver = false;
    const outcome = rig.control.carryOut(escalate, "connection-1").finally(() => (isOver = true));
    await rig.settle(6000);
    expect(isOver).toBe(false);
    rig.serviceSays("gone");
    await rig.settle(9000);
    expect(await outcome).toEqual({ ok: false, reason: "the call is over" });
    const reason = "the call has left us, and whether somebody took it was not reported";
    expect(await failures(rig)).toMatchObject([{ details: { reason } }]);
  });

  it("[EFFECT-41] [LOST-4] goes on while a host has the caller's audio, whatever the service says", async () => {
    const rig = await startConnectedCall();
    rig.control.carryStream(await rig.record());
    await rig.settle(1000);
    const outcome = rig.control.carryOut(escalate, "connection-1");
    rig.serviceSays("gone");
    await rig.settle(15_000);
    await rig.tell("CallTransferAccepted", "transfer:1");
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-4] has failed when nobody has answered in time, and what comes later changes nothing", async () => {
    const rig = await startConnectedCall();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(settings.commCallTimeoutMs + 1000);
    expect(await outcome).toEqual({ ok: false, reason: "no answer" });
    await rig.tell("CallTransferAccepted", "transfer:1");
    expect(await rig.control.carryOut(escalate, "connection-1")).toEqual({ ok: false, reason: "no answer" });
  });
});
