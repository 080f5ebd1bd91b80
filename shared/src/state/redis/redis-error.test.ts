import { describe, expect, it } from "vitest";
import { toCacheError } from "./redis-error.ts";

function reply(message: string): Error {
  const error = new Error(message);
  error.name = "ReplyError";
  return error;
}

describe("an error of the cache", () => {
  it.each([
    "MOVED 9102 127.0.0.1:7001",
    "ASK 9102 127.0.0.1:7001",
    "CLUSTERDOWN The cluster is down",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "READONLY You can't write against a read only replica.",
    "LOADING Redis is loading the dataset in memory",
    "WRONGPASS invalid username-password pair",
  ])("is an outage that passes when the server says %s", (message) => {
    expect(toCacheError(reply(message))).toMatchObject({ code: "cache_connection_failed", retryable: true });
  });

  it("is our own when the server refuses the command itself", () => {
    const crossing = reply("CROSSSLOT Keys in request don't hash to the same slot");
    expect(toCacheError(crossing)).toMatchObject({ code: "internal_error", retryable: false });
  });

  it("is an outage when nothing was answered", () => {
    const unanswered = new Error("Too many Cluster redirections. Last error: Error: Connection is closed.");
    expect(toCacheError(unanswered)).toMatchObject({ code: "cache_connection_failed", retryable: true });
  });
});
