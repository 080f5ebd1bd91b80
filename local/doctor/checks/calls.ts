/** The communication service accepts our credentials, and its events reach us. */
import { callbackUrl, incomingCallUrl, shownIncomingCallUrl } from "@voice/shared/calls/webhook-urls";
import { systemClock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { composeCallAutomation } from "@voice/streaming-host/compose/calls";
import { z } from "zod";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastProblem } from "../last-problem.ts";

const validation = z.object({ validationResponse: z.string() });

export function callChecks(context: DoctorContext): Check[] {
  const { parts, settings, identity } = context;
  if (parts.calls.kind !== "azure") return [];
  const service: Check = {
    name: "communication service",
    advice: "compare COMM_CONNECTION_STRING with the resource's, or give the identity the role Contributor on it",
    async run() {
      const once = { ...settings, retryMaxAttempts: 1 };
      const { logger } = createLastProblem();
      const memory = createMemoryState({ clock: systemClock });
      const host = { settings: once, parts, state: memory, clock: systemClock, logger };
      const calls = await composeCallAutomation(host, identity);
      // No call has this id: a response that says so requires a valid key or role, and changes nothing.
      const state = await calls?.automation.stateOf(createUuid());
      return state === "gone" ? "knows us, and no such call" : `says that a call which cannot exist is ${state}`;
    },
  };
  const { baseUrl } = settings;
  return baseUrl === undefined
    ? [service]
    : [service, eventGridCheck(baseUrl, context), callbackCheck(baseUrl, context)];
}

/** The handshake that Event Grid performs when the subscription is created. */
function eventGridCheck(baseUrl: string, { settings }: DoctorContext): Check {
  const shown = shownIncomingCallUrl(baseUrl, settings);
  const advice = "COMM_WEBHOOK_SECRET must be the same here and where the functions app runs";
  return {
    name: "Event Grid's handshake",
    advice,
    async run(signal) {
      const code = createUuid();
      const events = [
        {
          id: code,
          eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
          eventTime: new Date().toISOString(),
          subject: "",
          data: { validationCode: code },
        },
      ];
      const answer = await post(incomingCallUrl(baseUrl, settings), events, signal);
      if (answer.status === 401 && settings.commWebhookSecrets === undefined)
        return `asks for Event Grid's own token, which only Azure can present; subscribe to ${shown} with Entra`;
      if (answer.status !== 200) throw new CheckFailure(`answered ${answer.status}`, advice);
      const parsed = validation.safeParse(answer.body);
      if (parsed.data?.validationResponse !== code)
        throw new CheckFailure("answered without the code", `is our API at ${shown}?`);
      return `is answered; subscribe Microsoft.Communication.IncomingCall to ${shown}`;
    },
  };
}

function callbackCheck(baseUrl: string, { settings }: DoctorContext): Check {
  return {
    name: "callbacks",
    advice: "BASE_URL must be the functions app's public address",
    async run(signal) {
      const { status } = await post(callbackUrl(baseUrl, settings), [], signal);
      if (status === 200) return "are taken at BASE_URL";
      if (status === 401 && settings.commWebhookSecrets === undefined)
        return "ask for the communication service's own token, as they should";
      throw new CheckFailure(
        `answered ${status}`,
        "COMM_WEBHOOK_SECRET must be the same here and where the functions app runs",
      );
    },
  };
}

async function post(url: string, events: readonly unknown[], signal: AbortSignal) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "aeg-event-type": "SubscriptionValidation" },
    body: JSON.stringify(events),
    signal,
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : undefined };
}
