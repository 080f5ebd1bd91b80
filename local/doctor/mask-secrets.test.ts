import { expect, it } from "vitest";
import { createMask } from "./mask-secrets.ts";

const mask = createMask({
  CACHE_PASSWORD: "hunter2",
  COMM_WEBHOOK_SECRET: "open sesame, old one",
  ACS_CONNECTION_STRING: "endpoint=https://c.example/;accesskey=c2VjcmV0",
  LOG_LEVEL: "error",
});

it("hides the settings' secrets, each of a list, and a connection string's key", () => {
  expect(mask("AUTH hunter2 failed")).toBe("AUTH *** failed");
  expect(mask("https://b.example/answer?secret=open%20sesame")).toBe("https://b.example/answer?secret=***");
  expect(mask("old one and c2VjcmV0")).toBe("*** and ***");
});

it("hides tokens that a library quotes, and nothing else", () => {
  expect(mask("Bearer eyJhbGciOi.eyJzdWIi.c2ln was refused: an error")).toBe("Bearer *** was refused: an error");
});
