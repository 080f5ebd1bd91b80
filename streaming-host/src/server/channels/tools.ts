/** `/realtime/tools`: an operator tries tools by themselves (BUILD-6 in docs/agents.md). */
import { toolTrialInput, type ToolTrialInput } from "@voice/shared/contracts/stream/tool-trial";
import { parseJson } from "@voice/shared/platform/parse-json";
import { sizeOfJson } from "@voice/shared/platform/json-size";
import type { Host } from "../../host/host.ts";
import { closeReasons, type CloseReason } from "../../transports/close-reasons.ts";
import { encodeMessage } from "../../transports/envelope.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { ToolTrials } from "../conversations/trial/tool-trials.ts";
import { limitAccess } from "./onlooker-access.ts";

/** What a model may be asked to write for a call is far shorter. */
const longestRequest = 32_000;
/** How deep the JSON of a request may be nested: as deep as a request's body over HTTP. */
const deepestRequest = 64;
const known =
  'Unknown message. Known here: {"type":"describe_tool","tool":"…"}, {"type":"try_tool","id":"…","tool":"…","arguments":{…}}, ping and renew.';

export function openToolTrials(
  { socket, request, caller, onClosed }: AcceptedSocket,
  host: Host,
  trials: ToolTrials,
): LiveConnection {
  const { clock, logger } = host;
  const trial = trials.begin(host, caller, [request.headers["x-forwarded-for"]].flat().join(", ") || undefined);
  const left = new AbortController();
  let running = 0;
  let isDraining = false;

  function close(reason: CloseReason): void {
    socket.close(closeReasons[reason].code, closeReasons[reason].text);
  }

  function send(type: "tool_description" | "tool_trial" | "error", payload: object): void {
    if (!left.signal.aborted) socket.send(encodeMessage(type, trial.sessionId, clock.wallNow(), payload));
  }

  async function answer(asked: ToolTrialInput): Promise<void> {
    if (asked.type === "try_tool") return send("tool_trial", await trial.attempt(asked, left.signal));
    if (asked.type !== "describe_tool") return;
    const description = await trial.describe(asked.tool, asked.agent);
    if (description !== undefined) send("tool_description", description);
    else send("error", { code: "not_found", message: `There is no tool "${asked.tool}" here now.` });
  }

  function receive(text: string): string | undefined {
    if (text.length > longestRequest || sizeOfJson(text).depth > deepestRequest) return "This is too much for a tool.";
    const asked = toolTrialInput.safeParse(parseJson(text));
    if (!asked.success) return known;
    running += 1;
    answer(asked.data)
      .catch((error: unknown) => {
        logger.warn({ error, sessionId: trial.sessionId }, "a request about a tool could not be answered");
        send("error", { code: "internal_error", message: "This could not be answered now. Try again." });
      })
      .finally(() => {
        running -= 1;
        if (isDraining && running === 0) close("draining");
      });
    return undefined;
  }

  const stopLimiting = limitAccess(
    { socket, caller, purpose: { type: "try" }, end: () => close("tokenExpired"), onText: receive },
    host,
  );
  socket.onClose = () => {
    stopLimiting();
    left.abort();
    onClosed();
  };
  socket.start();
  return {
    drain() {
      isDraining = true;
      if (running === 0) close("draining");
    },
    close: async (reason) => close(reason),
  };
}
