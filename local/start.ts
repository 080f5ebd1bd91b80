/** `npm start`: the speech engines load in threads of their own, and meanwhile this one loads everything else. */
import { explainStartFailure } from "@voice/shared/config/explain-start-failure";
import { loadSettings } from "@voice/shared/config/load";
import { keepThreadHeapsSmall } from "@voice/streaming-host/server/host/small-thread-heaps";
import { z } from "zod";
import { beginSpeech } from "./begin-speech.ts";
import { readToolArguments } from "./command-line/tool-arguments.ts";

const help = `The whole product on this machine: console, API, conversations, and a telephone network with simulated phones.

  npm start
  npm start -- --twilio    the telephone network is Twilio's, emulated
  PORT=8081 npm start      settings come from the environment and from local.settings.json: docs/settings.md lists them`;

async function start(): Promise<void> {
  const { values } = readToolArguments({ name: "npm start", help, options: { twilio: z.boolean().default(false) } });
  const asked = loadSettings(process.env);
  keepThreadHeapsSmall();
  const localSpeech = beginSpeech(asked, giveUp);
  const { runService } = await import("./run-service.ts");
  await runService({ asked, telephoneService: values.twilio ? "twilio" : "azure", localSpeech });
}

function giveUp(error: unknown): void {
  console.error(explainStartFailure(error, "PORT=8081 npm start"));
  process.exit(1);
}

await start().catch(giveUp);
