/**
 * Signs a request again with the time that all processes agree on. The SDK signs with the machine's clock, and the service rejects a
 * deviation of more than five minutes, so a host whose clock is wrong would fail every call. The SDK signs once for all attempts; this
 * signs each attempt.
 */
import { createHash, createHmac } from "node:crypto";
import { parseConnectionString } from "@azure/communication-common";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";

/** The order in which their values are signed. */
const signedHeaders = "x-ms-date;host;x-ms-content-sha256";

export function signAt(wallNow: () => number, connectionString: string): PipelinePolicy {
  const { credential } = parseConnectionString(connectionString);
  return {
    name: "signAt",
    sendRequest(request, next) {
      const { headers, method } = request;
      const { host, pathname, search } = new URL(request.url);
      const date = new Date(wallNow()).toUTCString();
      const body = typeof request.body === "string" ? request.body : "";
      const contentHash = createHash("sha256").update(body).digest("base64");
      const signed = `${method.toUpperCase()}\n${pathname}${search}\n${date};${host};${contentHash}`;
      const signature = createHmac("sha256", Buffer.from(credential.key, "base64")).update(signed).digest("base64");
      headers.set("x-ms-date", date);
      headers.set("x-ms-content-sha256", contentHash);
      headers.set("Authorization", `HMAC-SHA256 SignedHeaders=${signedHeaders}&Signature=${signature}`);
      return next(request);
    },
  };
}
