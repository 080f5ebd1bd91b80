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
    "OOM command not allowed when used memory > 'maxmemory'. script: db8d8f63, on @user_script:1.",
    "ERR Error running script (call to f_db8d8f63): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
    "ERR Error running script (call to f_db8d8f63): @user_script:1: @user_script: 1: -READONLY You can't write against a read only replica.",
  ])("is an outage that passes when the server says %s", (message) => {
    expect(toCacheError(reply(message))).toMatchObject({ code: "cache_connection_failed", retryable: true });
  });

  it("is our own when the server refuses the command itself", () => {
    for (const refusal of [
      "CROSSSLOT Keys in request don't hash to the same slot",
      "ERR Error running script (call to f_db8d8f63): @user_script:1: user_script:1: attempt to index a nil value",
    ])
      expect(toCacheError(reply(refusal))).toMatchObject({ code: "internal_error", retryable: false });
  });

  it("is an outage when nothing was answered", () => {
    const unanswered = new Error("Too many Cluster redirections. Last error: Error: Connection is closed.");
    expect(toCacheError(unanswered)).toMatchObject({ code: "cache_connection_failed", retryable: true });
  });
});
