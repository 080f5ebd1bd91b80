/**
 * The whole service with agents that follow a script, for tests of its clients: the demonstration's agents, whose model is an emulated one.
 * Their voice hums, and whatever is spoken to them is the same sentence, so no engine takes time.
 */
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { Responder } from "@voice/local/emulators/openai/emulator";
import { loadSettings, type Environment } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { FakeSynthesiser } from "@voice/streaming-host/testing/fake-synthesiser";
import { startLocalPhoneNetwork } from "../../local/phone-network.ts";
import type { PageListener } from "../../local/service.ts";
import { freePort } from "./free-port.ts";
import { noFillers } from "./no-fillers.ts";
import { startTestService } from "./test-service.ts";

export const spokenToAgents = "I want to check my balance";
/** The front desk's, as the demonstration has it. */
export const scriptedGreeting =
  "Thank you for calling Harbor Bank. I can check a balance, or connect you to our card team. How can I help you today?";
export const balanceAnswer = "Your checking balance is one thousand two hundred fifty dollars and seventy five cents.";

export interface ScriptedService {
  readonly origin: string;
  readonly port: number;
  readonly state: State;
  close(): Promise<void>;
}

export interface ScriptedServiceOptions {
  /** Serves what is not the API, such as the console. */
  readonly pages?: PageListener;
  /** How fast the agents talk. */
  readonly msPerCharacter: number;
  readonly environment?: Environment;
}

export async function startScriptedService(options: ScriptedServiceOptions): Promise<ScriptedService> {
  const { pages, msPerCharacter, environment } = options;
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  // Without telephones the console says on every page what does not work.
  const [model, phones] = await Promise.all([
    startOpenAiEmulator({ respond }),
    startLocalPhoneNetwork({ baseUrl: origin }),
  ]);
  const recogniser = createScriptedRecogniser();
  recogniser.script(...Array.from({ length: 20 }, () => spokenToAgents));
  const synthesiser = new FakeSynthesiser(systemClock, msPerCharacter);
  const service = await startTestService({
    settings: loadSettings({
      ...phones.environment,
      PORT: `${port}`,
      HOST: "127.0.0.1",
      CLOUD_OPENAI_ENDPOINT: model.baseUrl,
      CLOUD_OPENAI_DEPLOYMENT: "scripted",
      CLOUD_OPENAI_KEY: "none",
      RETRY_MAX_ATTEMPTS: "0",
      ...noFillers,
      ...environment,
    }),
    logger: silentLogger,
    pages,
    localSpeech: () => Promise.resolve({ recogniser, synthesiser }),
  });
  return {
    origin,
    port,
    state: service.state,
    async close() {
      await service.close(0);
      await Promise.all([model.close(), phones.close()]);
    },
  };
}

/** Looks a balance up, hands over to the card team, fails when it is told to, and repeats everything else. */
const respond: Responder = ({ messages, tools = [] }) => {
  const text = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const handOver = tools.find(({ function: { name } }) => name === "handoff_card_specialist");
  const isAnswered = messages.at(-1)?.role === "tool";
  const call = (name: string, args: object) =>
    ({ kind: "completion", toolCalls: [{ name, argumentsJson: JSON.stringify(args) }] }) as const;
  if (text.includes("crash")) return { kind: "refusal", status: 500 };
  if (text.includes("card") && handOver !== undefined) return call("handoff_card_specialist", { reason: text });
  if (!text.includes("balance")) return { kind: "completion", text: `You said: ${text}` };
  return isAnswered
    ? { kind: "completion", text: balanceAnswer }
    : call("get_account_balance", { account: "checking" });
};
