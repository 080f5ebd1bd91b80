/** The text after `npm start`: where the service is, which parts are local and which are real, and what to try. Pure. */
import type { PartDescription } from "@voice/shared/config/describe-parts";
import { defaultPhoneUrl } from "./phone/phone-controls.ts";

/** The address that the simulated caller calls by default. */
const defaultServiceUrl = "http://localhost:8080";

export function startScreen(options: {
  readonly url: string;
  readonly parts: readonly PartDescription[];
  readonly agents: number;
  readonly scenarios: number;
  readonly hasConsole: boolean;
  readonly startedInMs: number;
  /** What the agent that answers first understands; the built-in one where absent. */
  readonly sayings?: readonly string[] | undefined;
  /** Whether the state store answers; the log has the reason where it does not. */
  readonly hasState: boolean;
  /** The address of the simulated telephone network, if this machine has one. */
  readonly phoneUrl: string | undefined;
  /** The address for a subscription to incoming calls, with its secret masked; undefined without a real communication service. */
  readonly incomingCallUrl: string | undefined;
}): string {
  const { url, parts, phoneUrl, sayings = ["I want to check my balance", "I lost my card"] } = options;
  const said = sayings.map((saying) => ` --say "${saying}"`);
  const callerOption = url === defaultServiceUrl ? "" : ` --url ${url}`;
  const phoneOption = phoneUrl === defaultPhoneUrl ? "" : ` --url ${phoneUrl}`;
  const width = Math.max(...parts.map(({ name }) => name.length));
  const lines = parts.map(({ name, kind, detail }) => `    ${name.padEnd(width)}  ${kind.padEnd(5)}  ${detail}`);
  return [
    "",
    `  Voice agents are listening at ${url}  (started in ${(options.startedInMs / 1000).toFixed(1)} s)`,
    `  ${counted(options.agents, "agent")} in ${counted(options.scenarios, "scenario")}`,
    "",
    ...lines,
    "",
    ...(options.hasState ? [] : ["  The state store does not answer: until it does, conversations are refused.", ""]),
    ...(options.incomingCallUrl === undefined
      ? []
      : [`  Subscribe Event Grid's Microsoft.Communication.IncomingCall to ${options.incomingCallUrl}`, ""]),
    "  Try:",
    options.hasConsole ? `    1. open ${url} and press "Start talking" (or type)` : `    1. curl ${url}/api/v1/agents`,
    `    2. in another terminal: npm run caller --${said.join("")}${callerOption}`,
    `    3. open ${url}/docs and call the API`,
    ...(phoneUrl === undefined ? [] : [`    4. npm run phone -- --inbound${said.at(-1)}${phoneOption}`]),
    "",
    "  Ctrl-C ends it.",
    "",
  ].join("\n");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
