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

  it.each([
    ["READONLY You can't write against a read only replica.", "the cache answers and refuses: READONLY"],
    [
      "ERR Error running script (call to f_db8d8f63): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
      "the cache answers and refuses: OOM",
    ],
    [
      "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
      "the cache answers and refuses: UNBLOCKED",
    ],
    ["ERR max number of clients reached", "the cache answers and refuses: ERR max number of clients"],
  ])("tells operators what the server refused with, and nothing of the command: %s", (said, message) => {
    expect(toCacheError(reply(said))).toMatchObject({ code: "cache_connection_failed", message });
  });

  it.each([
    "Command timed out",
    "Socket timeout. Expecting data, but didn't receive any in 3000ms.",
    "connect ETIMEDOUT",
  ])("tells silence from absence: %s", (message) => {
    expect(toCacheError(new Error(message)).message).toBe("the cache did not answer in time");
    expect(toCacheError(new Error("Connection is closed.")).message).toBe("the cache is unreachable");
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
