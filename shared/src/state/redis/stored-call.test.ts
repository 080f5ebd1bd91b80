import { describe, expect, it } from "vitest";
import type { CallRecord } from "../ports/call-store.ts";
import { newCall } from "../ports/call-store.contract.ts";
import { parseCall, toStoredCall } from "./stored-call.ts";

const inbound: CallRecord = { ...newCall("call-1", 1), direction: "inbound", version: 1 };

describe("[NUM-6] a stored call", () => {
  it.each([
    ["anonymous", undefined, "4:anonymous"],
    ["1001", undefined, "4:1001"],
    ["8:orgid:u-1", undefined, "8:orgid:u-1"],
    ["4:anonymous", undefined, "4:anonymous"],
    ["12025550123", "+12025550123", undefined],
    ["+12025550123", "+12025550123", undefined],
    [undefined, undefined, undefined],
  ])("of the release before, with %j as its caller's number, is read", (callerNumber, number, rawId) => {
    expect(parseCall({ ...inbound, callerNumber })).toMatchObject({
      ...inbound,
      callerNumber: number,
      callerRawId: rawId,
    });
  });

  it("of the release before, with words for a participant's number, is read", () => {
    const hidden = { id: "4:anonymous", phoneNumber: "anonymous", role: "caller", status: "connected" };
    expect(parseCall({ ...inbound, participants: [hidden] }).participants).toEqual([
      { ...hidden, phoneNumber: undefined },
    ]);
  });

  it("names a called line for the release before, and is read as it was written", () => {
    const toTeams = { ...inbound, targetNumber: undefined, targetRawId: "28:orgid:b-1", callerRawId: "4:anonymous" };
    expect(toStoredCall(toTeams)).toMatchObject({ targetNumber: "28:orgid:b-1" });
    expect(parseCall(JSON.parse(JSON.stringify(toStoredCall(toTeams))))).toEqual(toTeams);
    expect(parseCall(toStoredCall({ ...inbound, targetNumber: undefined }))).toMatchObject({ targetNumber: undefined });
  });
});
