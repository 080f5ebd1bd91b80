/** The hooks, run with an Azure CLI that writes down what it is asked. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { infra } from "./templates.ts";

const run = promisify(execFile);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hooks-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** One line for each call; what stands in a file that is handed over comes after it. */
function command(name: string, answers: string): void {
  const script = `#!/bin/sh
echo "${name} $*" >>"${folder}/calls"
for argument in "$@"; do case "$previous" in --file) cat "$argument" >"${folder}/handed-over";; esac; previous=$argument; done
${answers}
`;
  writeFileSync(path.join(folder, name), script, { mode: 0o755 });
}

async function hook(name: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { PATH: `${folder}:${process.env["PATH"]}`, ...environment };
  const { stdout } = await run("sh", [path.join(infra, "hooks", name)], { env });
  return stdout;
}

const calls = (): string[] => readFileSync(path.join(folder, "calls"), "utf8").trimEnd().split("\n");

/** The answer of the first two times, as long as what was just made is not known everywhere. */
const atFirst = (answer: string): string =>
  `echo . >>"${folder}/tries"; [ "$(wc -l <"${folder}/tries")" -gt 2 ] || { ${answer}; }`;

describe("after provisioning", () => {
  const vault = `case "$*" in "keyvault show "*) echo https://kv-voice.vault.azure.net/;; esac`;
  const there = `case "$*" in "keyvault secret list "*) echo https://kv-voice.vault.azure.net/secrets/comm-webhook-secret;; esac`;
  const forbidden = `echo "(Forbidden) Caller is not authorized to perform action on resource." >&2; exit 1`;
  const names = { KEY_VAULT_NAME: "kv-voice", APP_CONFIGURATION_NAME: "appcs-voice" };

  it("a webhook's secret is made that no command line and no output has, and the apps are told where it is", async () => {
    command("az", vault);
    const printed = await hook("make-webhook-secret.sh", names);
    const secret = readFileSync(path.join(folder, "handed-over"), "utf8");
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(`${printed}\n${calls().join("\n")}`).not.toContain(secret);
    const [last] = calls().slice(-1);
    expect(last).toContain("appconfig kv set-keyvault");
    expect(last).toContain("--name appcs-voice --key COMM_WEBHOOK_SECRET");
    expect(last).toContain("--secret-identifier https://kv-voice.vault.azure.net/secrets/comm-webhook-secret");
  });

  it("a secret that may not be read yet is waited for and stays as it is: a new one would undo what calls and Event Grid hold", async () => {
    command("az", `case "$*" in "keyvault secret list "*) ${atFirst(forbidden)};; esac\n${there}\n${vault}`);
    command("sleep", "");
    await hook("make-webhook-secret.sh", names);
    expect(calls().filter((call) => call.includes("secret list"))).toHaveLength(3);
    expect(calls().filter((call) => call.includes("secret set"))).toEqual([]);
  });

  it("the apps are told where the secret is as soon as the role to tell them is known", async () => {
    command("az", `case "$*" in "appconfig kv set-keyvault "*) ${atFirst(forbidden)};; esac\n${vault}`);
    command("sleep", "");
    await hook("make-webhook-secret.sh", names);
    expect(calls().filter((call) => call.includes("set-keyvault"))).toHaveLength(3);
  });

  it("a right that never comes ends it, with the service's own words", async () => {
    command("az", `case "$*" in "keyvault secret list "*) ${forbidden};; esac\n${vault}`);
    command("sleep", "");
    await expect(hook("make-webhook-secret.sh", names)).rejects.toThrow("(Forbidden) Caller is not authorized");
    expect(calls().filter((call) => call.includes("secret set"))).toEqual([]);
  });

  it("a secret that is there stays as it is", async () => {
    command("az", `${there}\n${vault}`);
    await hook("make-webhook-secret.sh", names);
    expect(calls().filter((call) => call.includes("secret set"))).toEqual([]);
    expect(calls().filter((call) => call.includes("set-keyvault"))).toHaveLength(1);
  });
});

describe("after the deployment", () => {
  const names = {
    AZURE_SUBSCRIPTION_ID: "00000000-0000-0000-0000-000000000000",
    AZURE_RESOURCE_GROUP: "rg-voice",
    BASE_URL: "https://voice.example.com",
  };

  it("incoming calls are delivered once the API has answered", async () => {
    command("az", "");
    command("curl", "");
    await hook("receive-incoming-calls.sh", { ...names, VOICE_PHONE_NUMBER: "+12025550100" });
    const [probe, deployment] = calls();
    expect(probe).toMatch(/^curl .*https:\/\/voice\.example\.com\/api\/v1\/health$/);
    expect(deployment).toMatch(/^az deployment group create .*--resource-group rg-voice .*incoming-calls\.bicepparam$/);
  });

  it("an address that Event Grid does not reach yet is tried again", async () => {
    command("az", atFirst(`echo "Webhook validation handshake failed for the address." >&2; exit 1`));
    command("curl", "");
    command("sleep", "");
    await hook("receive-incoming-calls.sh", { ...names, VOICE_PHONE_NUMBER: "+12025550100" });
    expect(calls().filter((call) => call.startsWith("az deployment group create"))).toHaveLength(3);
  });

  it("nothing is delivered without a number", async () => {
    command("az", "");
    expect(await hook("receive-incoming-calls.sh", names)).toContain("no VOICE_PHONE_NUMBER is set");
    expect(() => calls()).toThrow("ENOENT");
  });
});
