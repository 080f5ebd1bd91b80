import { describe, expect, it } from "vitest";
import { parseClientMessage } from "./parse-client-message.ts";

const config = (values: object) => parseClientMessage(JSON.stringify({ type: "config", payload: values }));

describe("a client's message", () => {
  it("[LANG-9] names a time zone that there is", () => {
    expect(config({ time_zone: "Europe/Berlin" })).toMatchObject({ ok: true, input: { time_zone: "Europe/Berlin" } });
    expect(config({ scenario: "banking" })).toMatchObject({ ok: true });
  });

  it.each(["Europe/Bern", "+02:00", ""])("[LANG-9] is refused for the time zone %j, which is named", (zone) => {
    expect(config({ time_zone: zone })).toEqual({
      ok: false,
      problem: "Invalid config: time_zone: must be a time zone such as Europe/Berlin or UTC.",
    });
  });
});
