import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { describe, expect, it } from "vitest";

import { hostView } from "./system-view.ts";

const host = heartbeat("host-1");

describe("a host, as operators see it", () => {
  it("[OPS-7a] has the conversations of all channels together", () => {
    expect(hostView(host)).toMatchObject({ sessions: 3, max_sessions: 300, status: "serving" });
  });

  it("[OPS-7a] is full where no place is left, also by the count of a host that tells of conversations alone", () => {
    expect(hostView({ ...host, maxSessions: 3 }).status).toBe("full");
    expect(hostView({ ...host, maxSessions: 4 }).status).toBe("serving");
    expect(hostView({ ...host, maxSessions: 4, placesTaken: 4 }).status).toBe("full");
  });

  it("[OPS-7a] says first what keeps it from taking conversations", () => {
    const late = { ...host, eventLoop: { delayMs: 900, isOverloaded: true } };
    expect(hostView(late)).toMatchObject({ status: "overloaded", event_loop_delay_ms: 900 });
    expect(hostView({ ...late, ready: false }).status).toBe("warming_up");
    expect(hostView({ ...late, ready: false, draining: true }).status).toBe("draining");
  });
});
