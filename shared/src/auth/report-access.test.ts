import { describe, expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { reportAccess } from "./report-access.ts";

const guid = "6f9619ff-8b86-4011-b42d-00c04fc964ff";

function linesFor(environment: Readonly<Record<string, string>>) {
  const lines: (readonly [level: string, fields: object, message: string])[] = [];
  reportAccess(loadSettings(environment), {
    warn: (fields, message) => void lines.push(["warn", fields, message]),
    error: (fields, message) => void lines.push(["error", fields, message]),
  });
  return lines;
}

describe("what a start says of who may enter", () => {
  it("[ACCESS-2b] is which id is wrong when nobody can get in", () => {
    const ids = { BACKEND_AUTH_CLIENT_ID: "voice-api", CLOUD_TENANT_ID: guid, ALLOWED_CLIENT_IDS: "everyone" };
    expect(linesFor({ ENABLE_AUTH_VALIDATION: "true", ...ids })).toEqual([
      [
        "error",
        { problem: "BACKEND_AUTH_CLIENT_ID is not a valid GUID; ALLOWED_CLIENT_IDS holds no valid GUID" },
        "authentication is on but cannot work, so nobody gets in",
      ],
    ]);
  });

  it("[ACCESS-2a] is a warning when everybody can", () => {
    expect(linesFor({ HOST: "0.0.0.0" })).toMatchObject([
      ["warn", {}, expect.stringContaining("Authentication is off")],
    ]);
  });

  it("is nothing when callers sign in, or only this machine can call", () => {
    const ids = { BACKEND_AUTH_CLIENT_ID: guid, CLOUD_TENANT_ID: guid, ALLOWED_CLIENT_IDS: guid };
    expect([...linesFor({ ENABLE_AUTH_VALIDATION: "true", ...ids }), ...linesFor({})]).toEqual([]);
  });
});
