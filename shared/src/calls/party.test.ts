import { describe, expect, it } from "vitest";
import { partyOf } from "./azure/azure-event.ts";
import { isSameParty, partyOfText, readNumber } from "./party.ts";

const number = "+12025550123";

describe("[NUM-1] a phone number", () => {
  it.each([
    "+12025550123",
    "+1 202 555 0123",
    "+1 (202) 555-0123",
    "+1.202.555.0123",
    "12025550123",
    "0012025550123",
    "tel:+12025550123",
    "tel:+1-202-555-0123",
    "TEL:+12025550123;ext=77",
    "tel:2025550123;phone-context=+1",
    "sip:+12025550123@carrier.example;user=phone",
    "sips:+12025550123@[2001:db8::1]:5061",
    "sip:12025550123@10.0.0.1",
    "sip:%2B12025550123@carrier.example",
    "sip:+12025550123;npdi@carrier.example",
    '"Ada" <sip:+12025550123@carrier.example>;tag=1',
    "+12025550123 ext. 4",
    "+12025550123x4",
    "+12025550123,,4",
  ])("is read from %s", (text) => {
    expect(readNumber(text)).toBe(number);
    expect(partyOfText(text)).toEqual({ number, rawId: `4:${number}` });
  });

  it.each([
    ["+44 (0)20 7946 0000", "+442079460000"],
    ["442079460000", "+442079460000"],
    ["+4930123456", "+4930123456"],
  ])("is read from %s as %s", (text, read) => {
    expect(readNumber(text)).toBe(read);
  });

  it.each([
    "",
    "anonymous",
    "Anonymous",
    "restricted",
    "unavailable",
    "private",
    "Unknown",
    "sip:anonymous@anonymous.invalid",
    '"Anonymous" <sip:anonymous@anonymous.invalid>',
    "tel:anonymous",
    "+266696687",
    "+7378742833",
    "+86282452253",
    "1234",
    "2025550123",
    "02079460000",
    "11987654321",
    "+0123456789",
    "+",
    "+1234567890123456",
    "911",
  ])("is not read from %j", (text) => {
    expect(readNumber(text)).toBeUndefined();
    expect(partyOfText(text).number).toBeUndefined();
  });
});

describe("[NUM-2] whoever has no number", () => {
  it.each([
    [{ kind: "phoneNumber", rawId: "4:anonymous", phoneNumber: { value: "anonymous" } }, "4:anonymous"],
    [{ kind: "phoneNumber", phoneNumber: { value: "anonymous" } }, "4:anonymous"],
    [{ rawId: "4:anonymous" }, "4:anonymous"],
    [{ kind: "phoneNumber", rawId: "4:1234", phoneNumber: { value: "1234" } }, "4:1234"],
    [{ kind: "communicationUser", rawId: "8:acs:a_b", communicationUser: { id: "8:acs:a_b" } }, "8:acs:a_b"],
    [{ kind: "communicationUser", communicationUser: { id: "8:acs:a_b" } }, "8:acs:a_b"],
    [{ kind: "microsoftTeamsUser", microsoftTeamsUser: { userId: "u-1" } }, "8:orgid:u-1"],
    [{ kind: "microsoftTeamsApp", microsoftTeamsApp: { appId: "b-1" } }, "28:orgid:b-1"],
    [{ kind: "unknown", rawId: "8:teamsvisitor:12025550123" }, "8:teamsvisitor:12025550123"],
    [{ rawId: "48:12025550123" }, "48:12025550123"],
  ])("is known by the service's identifier alone: %o", (identifier, rawId) => {
    expect(partyOf({ kind: undefined, rawId: undefined, phoneNumber: undefined, ...noUsers, ...identifier })).toEqual({
      number: undefined,
      rawId,
    });
  });

  it.each([
    { rawId: "4:+12025550123" },
    { rawId: "4:12025550123" },
    { rawId: "4:12025550123", phoneNumber: { value: "12025550123" } },
    { rawId: "8:orgid:u-1", phoneNumber: { value: number } },
  ])("is another one than whoever has: %o", (identifier) => {
    expect(partyOf({ kind: undefined, phoneNumber: undefined, ...noUsers, ...identifier }).number).toBe(number);
  });

  it("is nobody where the service says nothing", () => {
    expect(partyOf(undefined)).toEqual({});
  });
});

const noUsers = { communicationUser: undefined, microsoftTeamsUser: undefined, microsoftTeamsApp: undefined };

it("compares people by their numbers, and else by the service's identifiers", () => {
  expect(isSameParty({ number, rawId: "4:x" }, { number })).toBe(true);
  expect(isSameParty({ rawId: "8:orgid:A" }, { rawId: "8:orgid:a" })).toBe(true);
  expect(isSameParty({}, {})).toBe(false);
  expect(isSameParty({ rawId: "4:anonymous" }, { number })).toBe(false);
});
