import { describe, expect, it } from "vitest";

import { briefId, failuresInWords, howLong, standingOf, whereFrom, whoIsIt } from "./session-words.ts";

describe("a conversation of the list", () => {
  it.each([
    [{ channel: "phone", call: { direction: "inbound", far_number: "+12025550187" } }, "+12025550187", "incoming"],
    [{ channel: "phone", call: { direction: "outbound", far_number: "+12025550187" } }, "+12025550187", "outgoing"],
    [{ channel: "phone", call: { direction: "inbound", far_number: null } }, "Number withheld", "incoming"],
    [{ channel: "phone", call: null }, "Phone call", ""],
    [{ channel: "browser", user_email: "una@example.com" }, "una@example.com", "browser"],
    [{ channel: "browser", user_email: null }, "Browser", ""],
    [{ channel: "hologram" }, "Hologram", ""],
  ])("says who is on the other side: %j", (session, who, from) => {
    expect([whoIsIt(session), whereFrom(session)]).toEqual([who, from]);
  });

  it("shows the beginning of its id where its name says only where it comes from", () => {
    const id = "session-MtZhUJ4WbGJ0SEXlKj-WSA";
    expect(briefId({ session_id: id })).toBe("MtZhUJ");
    expect(briefId({ session_id: id, call: { direction: "inbound", far_number: null } })).toBe("MtZhUJ");
    expect(briefId({ session_id: "my-own-one" })).toBe("my-own");
    expect(briefId({ session_id: id, user_email: "una@example.com" })).toBe("");
    expect(briefId({ session_id: id, call: { direction: "inbound", far_number: "+12025550187" } })).toBe("");
  });

  const began = "2026-01-01T00:00:00.000Z";
  const latest = "2026-01-01T00:00:46.000Z";

  it("says how long it has lasted: until now, or until it ended", () => {
    const nowMs = Date.parse(began) + 125_000;
    const lasting = { created_at: began, last_activity_at: latest };
    expect(howLong({ ...lasting, status: "active" }, nowMs)).toBe("2:05");
    expect(howLong({ ...lasting, status: "ended" }, nowMs)).toBe("0:46");
    // A page whose clock is behind the service's.
    expect(howLong({ ...lasting, status: "active" }, Date.parse(began) - 5000)).toBe("0:00");
  });

  it.each([
    [undefined, ""],
    [null, ""],
    [0, ""],
    [1, "one failure"],
    [3, "3 failures"],
  ])("[OPS-9] says of %j failures: %j", (count, words) => {
    expect(failuresInWords(count)).toBe(words);
  });

  it("says how it stands", () => {
    expect(standingOf({ status: "active", end_reason: null })).toBe("going on");
    expect(standingOf({ status: "ended", end_reason: "caller_left" })).toBe("ended: the caller left");
    expect(standingOf({ status: "ended", end_reason: "The caller said goodbye." })).toBe(
      "ended: The caller said goodbye.",
    );
    expect(standingOf({ status: "ended", end_reason: null })).toBe("ended");
  });
});
