import { describe, expect, it } from "vitest";
import { signWebhook } from "./sign-webhook.ts";

/** The example of https://docs.svix.com/receiving/verifying-payloads/how-manual. */
const example = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", atMs: 1_614_265_330_000, body: '{"test": 2432232314}' };
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("a webhook's signature", () => {
  it("[WEBHOOK-1] is that of Standard Webhooks", () => {
    expect(signWebhook(example, [secret])).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("[WEBHOOK-1] is there for each of two secrets", () => {
    const other = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    const both = signWebhook(example, [secret, other])["webhook-signature"].split(" ");
    expect(both).toEqual([secret, other].map((one) => signWebhook(example, [one])["webhook-signature"]));
  });
});
