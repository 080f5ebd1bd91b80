/** What Twilio asks and reports about calls. */
import { twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";
import { twilioIncomingCall, twilioNext, twilioReport } from "@voice/shared/contracts/http/twilio-webhooks";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { Dependencies } from "../dependencies.ts";
import { route, type RequestInfo, type Route } from "../http/route.ts";
import { answerIncomingCall, sayWhatIsNext, takeReport } from "../services/twilio-calls.ts";

/** Longer than any call lasts. */
const replayMs = 48 * 3_600_000;

export const twilioRoutes: readonly Route[] = [
  route(twilioIncomingCall)(async ({ body, request }, dependencies) => {
    await requireFirst(request, dependencies);
    const text = await answerIncomingCall(body, { ...dependencies, traceparent: request.traceparent });
    return { status: 200, text };
  }),

  route(twilioNext)(async ({ query, body, request }, dependencies) => {
    await requireFirst(request, dependencies);
    const text = await sayWhatIsNext(query, body, { ...dependencies, traceparent: request.traceparent });
    return { status: 200, text };
  }),

  // A report that comes twice changes nothing, so it needs no more than that.
  route(twilioReport)(async ({ query, body, request }, dependencies) => {
    await takeReport(query, body, { ...dependencies, traceparent: request.traceparent });
    return { status: 204 };
  }),
];

/**
 * TWILIO-3: what is answered with instructions is answered once. Twilio signs no time, but every such request differs from every other one.
 */
async function requireFirst(request: RequestInfo, { state, logger }: Dependencies): Promise<void> {
  const signature = request.header(twilioSignatureHeader) ?? "";
  let isFirst = true;
  try {
    isFirst = await state.nonces.claim(`twilio:${signature}`, replayMs);
  } catch (error) {
    // Without the store the answer reveals nothing: it says to wait, or that the line is busy.
    logger.warn({ error }, "whether a request of Twilio's comes for the first time is not known");
  }
  if (!isFirst) throw new BadRequestError("forbidden", "This request was answered before.");
}
