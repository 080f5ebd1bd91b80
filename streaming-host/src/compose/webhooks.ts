/** Deliveries to other people's servers, where the settings name any. */
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { startWebhookSender, type WebhookSender } from "../server/host/webhook-sender.ts";

interface WebhookParts {
  readonly settings: Settings;
  readonly state: State;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a receiver answers is not read any further than this. */
const maxAnswerBytes = 64_000;

export async function composeWebhooks({ settings, ...parts }: WebhookParts): Promise<WebhookSender> {
  const { webhookUrls: urls = [], webhookSecrets: secrets = [], webhookPrivateHosts, baseUrl } = settings;
  if (urls.length === 0) return { close: () => Promise.resolve() };
  const { createHttpSender } = await import("../providers/http-tools/send-request.ts");
  const http = createHttpSender(webhookPrivateHosts);
  const sender = startWebhookSender({
    ...parts,
    urls,
    secrets,
    baseUrl,
    async post(url, { headers, body, signal }) {
      const answer = await http.send({ method: "POST", url, headers, body }, { maxBytes: maxAnswerBytes, signal });
      return answer.status;
    },
    random: Math.random,
  });
  return {
    async close() {
      await sender.close();
      await http.close();
    },
  };
}
