import { describe, expect, it } from "vitest";
import { commServiceOf } from "./comm-service.ts";

describe("the communication service", () => {
  it.each([
    [{}, "none"],
    [{ commEndpoint: "https://contoso.communication.azure.com" }, "real"],
    [{ commConnectionString: "endpoint=https://contoso.communication.azure.com/;accesskey=k" }, "real"],
    [{ commConnectionString: "endpoint=https://127.0.0.1.example.com/;accesskey=k" }, "real"],
    [{ commConnectionString: "endpoint=http://127.0.0.1.example.com/;accesskey=k" }, "real"],
    [{ commConnectionString: "accesskey=k" }, "real"],
    [{ commConnectionString: "endpoint=http://127.0.0.1:4100/;accesskey=k" }, "local"],
    [{ commEndpoint: "http://localhost:4100" }, "local"],
  ] as const)("of %o is %s", (settings, where) => {
    expect(commServiceOf({ commConnectionString: undefined, commEndpoint: undefined, ...settings })).toBe(where);
  });
});
