#!/usr/bin/env node
// Before and after "azd provision": compares what the subscription was granted in the region with what the calls of the size need
// (sizes.json), and says what to request. Ends with failure where Azure would refuse the deployment of a model for its quota, because
// by then half of the environment would have been made. Wants the Azure CLI, logged in; without it, it says that it does not know.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const { perCall, grantedByDefault, ...sizes } = JSON.parse(read("sizes.json"));
const parameters = read("main.bicepparam");

/** The value as the templates read it: that of the environment, or else the default in the file of parameters. */
function option(name) {
  const found = new RegExp(`readEnvironmentVariable\\('${name}', '([^']*)'\\)`).exec(parameters);
  if (found === null) throw new Error(`infra/main.bicepparam has no ${name}`);
  return process.env[name] ?? found[1];
}

const sizeName = option("VOICE_SIZE");
const size = sizes[sizeName];
if (size === undefined) throw new Error(`VOICE_SIZE is ${sizeName}: it is one of ${Object.keys(sizes).join(", ")}`);
const tokensPerMinute = perCall.turnsPerMinute * perCall.tokensPerTurn;
/** In thousands of tokens a minute, as in main.bicep. */
const capacityFor = (calls) => Math.ceil((calls * tokensPerMinute) / 1000);
const callsOf = (capacity) => Math.floor((capacity * 1000) / tokensPerMinute);

const model = option("VOICE_MODEL");
const fallback = option("VOICE_FALLBACK_MODEL");
const deployments = [
  {
    quota: `OpenAI.GlobalStandard.${model}`,
    calls: size.calls,
    setting: "VOICE_MODEL_CAPACITY",
    otherwise: "",
  },
  {
    quota: `OpenAI.${option("VOICE_FALLBACK_SKU")}.${fallback === "" ? model : fallback}`,
    calls: fallback === "none" ? 0 : size.fallbackCalls,
    setting: "VOICE_FALLBACK_CAPACITY",
    otherwise: ", or azd env set VOICE_FALLBACK_MODEL none",
  },
].flatMap((deployment) => {
  const needed = capacityFor(deployment.calls);
  return needed === 0 ? [] : [{ ...deployment, needed, deployed: Number(option(deployment.setting)) || needed }];
});

const region = process.env.AZURE_LOCATION ?? "";
const number = new Intl.NumberFormat("en");
const tokens = (capacity) => `${number.format(capacity * 1000)} tokens a minute`;

console.log(`quotas for ${size.calls} calls at a time (${sizeName}):`);
const granted = await readGranted();
let isRefused = false;
for (const { quota, needed, deployed, setting, otherwise } of deployments) {
  const found = granted?.get(spelled(quota));
  console.log(`- ${quota}: ${tokens(needed)} are needed; ${describe(found)}`);
  if (deployed < needed) console.log(`  ${setting} deploys ${tokens(deployed)}: enough for ${callsOf(deployed)} calls`);
  if (found === undefined || found.limit >= deployed) continue;
  isRefused = true;
  console.log(`  Azure would refuse this: request the quota (portal > AI Foundry > Management > Quota)`);
  console.log(`  or deploy less: azd env set ${setting} ${found.limit === 0 ? "…" : found.limit}${otherwise}`);
}
if (size.calls > grantedByDefault.recognitions)
  console.log(
    `- speech recognition: ${size.calls} at a time are needed, ${grantedByDefault.recognitions} are granted by default, and nothing tells what yours is: request it (portal > the AI Services resource > Support)`,
  );
console.log(
  `- outbound calls: ${grantedByDefault.outboundCallsPerNumber} at a time for each number by default: request more before a campaign`,
);
if (isRefused) process.exitCode = 1;

/** By name, in thousands of tokens a minute; undefined where it cannot be known. */
async function readGranted() {
  if (region === "") {
    console.log("(the region is not chosen yet: what was granted is compared after provisioning)");
    return undefined;
  }
  try {
    const query = ["cognitiveservices", "usage", "list", "--location", region, "--output", "json"];
    const { stdout } = await promisify(execFile)("az", query, { maxBuffer: 2 ** 26 });
    return new Map(
      JSON.parse(stdout).map(({ name, limit, currentValue }) => [spelled(name.value), { limit, used: currentValue }]),
    );
  } catch (error) {
    console.log(`(what was granted in ${region} is not known: ${String(error.stderr || error.message).trim()})`);
    return undefined;
  }
}

/** The quota of gpt-4.1-mini is called gpt4.1-mini. */
function spelled(quota) {
  return quota.toLowerCase().replaceAll("-", "");
}

function describe(found) {
  if (granted === undefined) return "what is granted is not known";
  if (found === undefined) return `${region} lists no such quota, so it probably does not offer this`;
  const { limit, used } = found;
  const shared = used > 0 ? ` (${tokens(used)} of it are deployed already, by this environment or by others)` : "";
  return `${tokens(limit)} are granted: enough for ${callsOf(limit)} calls${shared}`;
}
