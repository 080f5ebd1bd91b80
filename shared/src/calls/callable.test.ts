import { describe, expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { whyNotCallable } from "./callable.ts";

const local = loadSettings({});
const allowing = (destinations: string) => loadSettings({ CALL_ALLOWED_DESTINATIONS: destinations });
const remote = {
  COMM_CONNECTION_STRING: "endpoint=https://calls.example.com/;accesskey=c2VjcmV0",
  COMM_PHONE_NUMBER: "+12025550100",
  BASE_URL: "https://voice.example.com",
  STREAMING_HOST_URL: "wss://hosts.example.com",
  COMM_RESOURCE_ID: "00000000-0000-0000-0000-000000000000",
  COMM_WEBHOOK_SECRET: "a-secret-for-tests",
};

const codeOf = (number: string, settings = local) => whyNotCallable(number, settings)?.problem.code;

describe("[PLACE-1] a number that no program calls", () => {
  it.each([
    ["+911", "emergency"],
    ["+112", "emergency"],
    ["+1911", "emergency in North America"],
    ["+1112", "emergency in North America"],
    ["+15", "two digits"],
    ["+999", "emergency"],
    ["+44999", "emergency in Britain"],
    ["+49110", "police in Germany"],
    ["+49112", "emergency in Germany"],
    ["+33112", "emergency in France"],
    ["+43112", "emergency in Austria"],
    ["+353999", "emergency in Ireland"],
    ["+1868911", "emergency in Trinidad"],
    ["+4313300", "police in Austria, with more digits"],
    ["+19111234567", "emergency, with more digits"],
    ["+1411", "information in North America"],
    ["+4911833", "information in Germany"],
    ["+49116117", "a doctor on duty in Germany"],
    ["+44118118", "information in Britain"],
    ["+19005550100", "premium rate in North America"],
    ["+19001234567", "premium rate in North America, not in use"],
    ["+449098790000", "premium rate in Britain"],
    ["+4490912345678", "premium rate in Britain, too long"],
    ["+448712345678", "premium rate in Britain"],
    ["+447012345678", "personal numbers in Britain"],
    ["+499001234567", "premium rate in Germany"],
    ["+491801234567", "shared cost in Germany"],
    ["+33899123456", "premium rate in France"],
    ["+34803123456", "premium rate in Spain"],
    ["+34902123456", "shared cost in Spain"],
    ["+31909123456", "premium rate in the Netherlands"],
    ["+46900123456", "premium rate in Sweden"],
    ["+611900123456", "premium rate in Australia"],
    ["+81570012345", "a service number in Japan"],
    ["+979123456789", "international premium rate"],
    ["+80812345678", "international shared cost"],
    ["+999123456789", "no country"],
  ])("is refused, whatever is allowed: %s, %s", (number) => {
    for (const settings of [local, allowing("any"), allowing(number)])
      expect(codeOf(number, settings)).toBe("number_special");
  });

  it("is refused without being repeated", () => {
    expect(JSON.stringify(whyNotCallable("+19005550100", local))).not.toMatch(/\d{4}/);
  });
});

describe("[PLACE-2] where calls may go", () => {
  it.each([
    "+12025550123",
    "+14255550123",
    "+15551234567",
    "+4930123456",
    "+447700900123",
    "+8613800138000",
    "+18005550100",
  ])("is anywhere while developing with the telephones of this machine: %s", (number) =>
    expect(codeOf(number)).toBeUndefined(),
  );

  it.each([
    ["US", "+12025550123", true],
    ["US", "+14165550123", false], // Canada
    ["US", "+18095550100", false], // Dominican Republic
    ["CA,US", "+14165550123", true],
    ["UK", "+442079460000", true],
    ["GB", "+441624675663", false], // Isle of Man
    ["DE", "+4930123456", true],
    ["+4930", "+4930123456", true],
    ["+4930", "+4989123456", false],
    ["US", "+881612345678", false], // a satellite
    ["+881", "+881612345678", true],
    ["US", "+882161234567", false],
    ["US", "+15551234567", false], // an area code that there is not
    ["any", "+2391234567", true],
  ])("is what the setting names: with %s, %s: %s", (destinations, number, isAllowed) => {
    expect(codeOf(number, allowing(destinations))).toBe(isAllowed ? undefined : "destination_not_allowed");
  });

  it("is nowhere with a real telephone service until the setting says it, and the refusal names the setting", () => {
    const settings = loadSettings(remote);
    expect(whyNotCallable("+12025550123", settings)).toEqual({
      detail: expect.stringContaining("CALL_ALLOWED_DESTINATIONS is not set"),
      problem: { message: expect.stringContaining("CALL_ALLOWED_DESTINATIONS"), code: "destination_not_allowed" },
    });
    expect(codeOf("+12025550123", loadSettings({ ...remote, CALL_ALLOWED_DESTINATIONS: "US" }))).toBeUndefined();
  });
});
