import { describe, expect, it } from "vitest";
import { authConfigurationProblem } from "./auth-configuration.ts";

const guid = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
const good = {
  enableAuthValidation: true,
  backendAuthClientId: guid,
  cloudTenantId: guid,
  allowedClientIds: [guid],
};

describe("the authentication configuration", () => {
  it("has no problem while authentication is off", () => {
    expect(
      authConfigurationProblem({
        enableAuthValidation: false,
        backendAuthClientId: undefined,
        cloudTenantId: undefined,
        allowedClientIds: [],
      }),
    ).toBeUndefined();
  });

  it("has no problem with valid ids", () => {
    expect(authConfigurationProblem(good)).toBeUndefined();
  });

  it.each([
    [{ backendAuthClientId: undefined }, "BACKEND_AUTH_CLIENT_ID is not set"],
    [{ backendAuthClientId: "me" }, "BACKEND_AUTH_CLIENT_ID is not a valid GUID"],
    [{ cloudTenantId: undefined }, "CLOUD_TENANT_ID is not set"],
    [{ cloudTenantId: "contoso" }, "CLOUD_TENANT_ID is not a valid GUID"],
    [{ allowedClientIds: [] }, "ALLOWED_CLIENT_IDS is empty - at least one client ID required"],
    [{ allowedClientIds: ["a", "b"] }, "ALLOWED_CLIENT_IDS holds no valid GUID"],
  ])("names what is wrong with %o", (changes, problem) => {
    expect(authConfigurationProblem({ ...good, ...changes })).toBe(problem);
  });

  it("is content with one valid client id among others", () => {
    expect(authConfigurationProblem({ ...good, allowedClientIds: ["x", guid] })).toBeUndefined();
  });
});
