import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { Answers, answersAgain } from "../api/answers.ts";
import { ApiProblem } from "../api/api-problem.ts";
import type { CallInfo, CallRequest } from "../api/calls-api.ts";
import { CallsSession } from "./calls-session.ts";

function call(status: string): CallInfo {
  return {
    call_id: "call-1",
    session_id: "session-1",
    status,
    direction: "outbound",
    target_number: "+12025550123",
    created_at: "2026-01-01T00:00:00.000Z",
    events: [],
  };
}

function rig() {
  const clock = new VirtualClock();
  const asked: (string | undefined)[] = [];
  const placed: CallRequest[] = [];
  const service = { status: "ringing", refusal: undefined as Error | undefined };
  const answers = new Answers();
  const session = new CallsSession({
    clock,
    api: {
      list: (search) => {
        asked.push(search);
        return Promise.resolve({ calls: [call(service.status)] });
      },
      place: (request) => {
        placed.push(request);
        return service.refusal === undefined ? Promise.resolve("call-1") : Promise.reject(service.refusal);
      },
      hangUp: () => Promise.resolve(),
      ofSession: () => Promise.resolve(undefined),
    },
    transfer: () => Promise.resolve("The call is being transferred."),
    onceItAnswers: answers.onceItAnswers,
  });
  return { clock, asked, placed, service, session, answers };
}

describe("the list of calls", () => {
  it("is read again soon while a phone rings, and now and then when none does", async () => {
    const { clock, asked, service, session } = rig();
    const stop = session.show();
    await clock.advanceAsync(0);
    expect(session.store.get()).toMatchObject({ calls: [{ status: "ringing" }] });
    await clock.advanceAsync(700);
    expect(asked).toHaveLength(2);
    service.status = "connected";
    await clock.advanceAsync(700);
    await clock.advanceAsync(2900, 100);
    expect(asked).toHaveLength(3);
    await clock.advanceAsync(100);
    expect(asked).toHaveLength(4);
    stop();
    await clock.advanceAsync(10_000, 1000);
    expect(asked).toHaveLength(4);
  });

  it("begins anew for the one call that is looked for", async () => {
    const { clock, asked, session } = rig();
    const stop = session.show();
    await clock.advanceAsync(0);
    stop();
    session.show("call-1");
    expect(session.store.get().calls).toBeUndefined();
    await clock.advanceAsync(0);
    expect(asked.at(-1)).toBe("call-1");
  });
});

describe("placing a call", () => {
  it("says so and reads the list at once", async () => {
    const { clock, asked, placed, session } = rig();
    session.show();
    await clock.advanceAsync(0);
    expect(await session.place({ number: "+12025550123", voicemail: "message" })).toBe(true);
    expect(placed).toEqual([{ number: "+12025550123", voicemail: "message" }]);
    expect(session.store.get().done).toBe("+12025550123 is being called.");
    expect(asked).toHaveLength(2);
    // By then the list says what has become of it.
    await clock.advanceAsync(8000, 1000);
    expect(session.store.get().done).toBeUndefined();
  });

  it("says why not", async () => {
    const { service, session } = rig();
    service.refusal = new ApiProblem(422, {
      detail: [{ loc: ["body", "target_number"], msg: "Not a phone number" }],
    });
    expect(await session.place({ number: "12" })).toBe(false);
    expect(session.store.get().problem).toContain("no phone number");
  });
});

describe("a service that is away when a call is placed", () => {
  it("is said to be away until it answers again", async () => {
    const { service, session, answers } = rig();
    service.refusal = new TypeError("Failed to fetch");
    await session.place({ number: "+12025550123" });
    expect(session.store.get().problem).toContain("The service does not answer.");
    answers.came();
    expect(session.store.get()).toMatchObject({ problem: undefined, done: answersAgain });
  });
});
