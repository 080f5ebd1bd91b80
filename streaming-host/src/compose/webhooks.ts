/** Deliveries to other people's servers of what became of calls and conversations. */
import type { State } from "@voice/shared/state/ports/state";
import type { Host } from "../host/host.ts";
import { WebhookSender } from "../server/host/webhook-sender.ts";

/** The most that is read of what a receiver of webhooks answers. */
const maxAnswerBytes = 64_000;

/**
 * Undefined where the settings name no server. `stored`: the state as other hosts see it, so that what waits on this host for the store is
 * announced once it is there.
 */
export async function composeWebhooks(
  host: Pick<Host, "settings" | "random" | "telemetry" | "clock" | "logger">,
  stored: State,
): Promise<{ close(): Promise<void> } | undefined> {
  const { webhookUrls = [], webhookPrivateHosts } = host.settings;
  if (webhookUrls.length === 0) return undefined;
  const { createHttpSender } = await import("../providers/http-tools/send-request.ts");
  const http = createHttpSender(webhookPrivateHosts);
  const sender = new WebhookSender(host, stored, async (url, { headers, body, signal }) => {
    const answer = await http.send({ method: "POST", url, headers, body }, { maxBytes: maxAnswerBytes, signal });
    return answer.status;
  });
  return {
    async close() {
      await sender.close();
      await http.close();
    },
  };
}
