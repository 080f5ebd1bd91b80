import { describe, expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { signInOrigins, signInProvider } from "./sign-in-provider.ts";

const backend = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
const tenant = "6f9619ff-8b86-4011-b42d-00c04fc964f1";
const page = "6f9619ff-8b86-4011-b42d-00c04fc964f3";
const entra = {
  ENABLE_AUTH_VALIDATION: "true",
  BACKEND_AUTH_CLIENT_ID: backend,
  CLOUD_TENANT_ID: tenant,
  SIGN_IN_CLIENT_ID: page,
};

describe("where people sign in", () => {
  it("[ACCESS-16a] is nowhere while nobody has to", () => {
    const settings = loadSettings({ ...entra, ENABLE_AUTH_VALIDATION: "false" });
    expect(signInProvider(settings)).toBeUndefined();
    expect(signInOrigins(settings)).toEqual([]);
  });

  it("[ACCESS-16a] is nowhere where no page is registered", () => {
    expect(signInProvider(loadSettings({ ...entra, SIGN_IN_CLIENT_ID: "" }))).toBeUndefined();
  });

  it("[ACCESS-16a] is Entra for the tenant, for this API", () => {
    expect(signInProvider(loadSettings(entra))).toEqual({
      authority: `https://login.microsoftonline.com/${tenant}/v2.0`,
      clientId: page,
      scope: `openid offline_access api://${backend}/.default`,
    });
    expect(signInProvider(loadSettings({ ...entra, CLOUD_ENVIRONMENT: "usgovernment" }))?.authority).toContain(
      "login.microsoftonline.us",
    );
  });

  it("[ACCESS-16a] is another provider where a setting names it, or the issuer of the callers' tokens", () => {
    const issued = { ...entra, AUTH_JWT_ISSUER: "https://id.example/realm" };
    expect(signInProvider(loadSettings(issued))?.authority).toBe("https://id.example/realm");
    const settings = loadSettings({
      ...issued,
      SIGN_IN_AUTHORITY: "https://people.example/",
      SIGN_IN_SCOPE: "openid voice",
      SIGN_IN_ORIGINS: "https://tokens.example/oauth",
    });
    expect(signInProvider(settings)).toMatchObject({ authority: "https://people.example", scope: "openid voice" });
    expect(signInOrigins(settings)).toEqual(["https://people.example", "https://tokens.example"]);
  });
});
