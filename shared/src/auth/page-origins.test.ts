import { expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { pageOrigins } from "./page-origins.ts";

const signIn = {
  ENABLE_AUTH_VALIDATION: "true",
  BACKEND_AUTH_CLIENT_ID: "6f9619ff-8b86-4011-b42d-00c04fc964ff",
  CLOUD_TENANT_ID: "6f9619ff-8b86-4011-b42d-00c04fc964f1",
  SIGN_IN_CLIENT_ID: "6f9619ff-8b86-4011-b42d-00c04fc964f3",
  SIGN_IN_AUTHORITY: "https://people.example/realm",
};

it("[ACCESS-16d] lets a page reach the provider, and the hosts where tickets open sockets", () => {
  expect(pageOrigins(loadSettings({}))).toEqual([]);
  const settings = loadSettings({ ...signIn, STREAMING_HOST_URL: "wss://hosts.example/some/path" });
  expect(pageOrigins(settings)).toEqual(["https://people.example", "wss://hosts.example"]);
});
