/** The hooks, run with an Azure CLI that writes down what it is asked. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
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

/** What it printed, and whether it would end the deployment. */
async function checkQuotas(environment: Readonly<Record<string, string>>) {
  const env = { PATH: `${folder}:${process.env["PATH"]}`, AZURE_LOCATION: "eastus2", ...environment };
  try {
    const { stdout } = await run(process.execPath, [path.join(infra, "hooks/check-quotas.mjs")], { env });
    return { text: stdout, isRefused: false };
  } catch (error) {
    return { text: z.object({ stdout: z.string() }).parse(error).stdout, isRefused: true };
  }
}

/** As `az cognitiveservices usage list` has them; real ones are called OpenAI.GlobalStandard.gpt-5.4-mini, in thousands of tokens. */
const quotas = (limits: Readonly<Record<string, number>>): string => {
  const usages = Object.entries(limits).map(([name, limit]) => ({
    name: { value: `OpenAI.${name}`, localizedValue: name },
    currentValue: 90,
    limit,
    unit: "Count",
  }));
  return `cat <<'JSON'\n${JSON.stringify(usages)}\nJSON`;
};

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

  it("[RELEASE-1] what a domain of one's own needs in DNS is printed", async () => {
    const domain = {
      VOICE_DOMAIN: "voice.example.com",
      DOMAIN_TARGET: "voice.azurefd.net",
      DOMAIN_VALIDATION: "token",
    };
    const lines = (await hook("say-domain.sh", domain)).split("\n");
    expect(lines[0]).toBe("in DNS: CNAME voice.example.com voice.azurefd.net");
    expect(lines[1]).toBe("in DNS: TXT _dnsauth.voice.example.com token");
    expect(await hook("say-domain.sh", {})).toBe("");
  });

  it("a right that never comes ends it, with the service's own words", async () => {
    command("az", `case "$*" in "keyvault secret list "*) ${forbidden};; esac\n${vault}`);
    command("sleep", "");
    await expect(hook("make-webhook-secret.sh", names)).rejects.toThrow("(Forbidden) Caller is not authorized");
    expect(calls().filter((call) => call.includes("secret set"))).toEqual([]);
  });

  it("[RELEASE-2] a secret setting goes from standard input into the vault, and replaces the one that is there", async () => {
    command("az", `${there}\n${vault}`);
    const child = run("sh", [path.join(infra, "hooks/set-secret.sh"), "TOOL_SECRETS"], {
      env: { PATH: `${folder}:${process.env["PATH"]}`, ...names },
    });
    child.child.stdin?.end("ORDERS_TOKEN=abc");
    const { stdout } = await child;
    expect(readFileSync(path.join(folder, "handed-over"), "utf8")).toBe("ORDERS_TOKEN=abc");
    expect(`${stdout}\n${calls().join("\n")}`).not.toContain("abc");
    expect(calls().at(-1)).toContain("--key TOOL_SECRETS --secret-identifier");
    expect(calls().at(-1)).toContain("https://kv-voice.vault.azure.net/secrets/tool-secrets");
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

describe("before the deployment", () => {
  /** With the tree's own hook, in a folder that stands for the repository. */
  async function takeProject(environment: Readonly<Record<string, string>>): Promise<void> {
    const repository = path.join(folder, "repository");
    mkdirSync(path.join(repository, "infra"), { recursive: true });
    cpSync(path.join(infra, "hooks"), path.join(repository, "infra/hooks"), { recursive: true });
    const env = { PATH: `${folder}:${process.env["PATH"]}`, ...environment };
    await run("sh", ["infra/hooks/take-project.sh"], { cwd: repository, env });
  }
  const taken = (file: string): boolean => existsSync(path.join(folder, "repository/own/project", file));

  it("[RELEASE-3] a project outside of the repository is taken along, without its keys, and with what its tools need", async () => {
    const files = ["catalog/agents/desk/agent.yaml", "package-lock.json", ".env", "local.settings.json"];
    for (const file of [...files, "node_modules/voice-agent-service/main.mjs"]) {
      mkdirSync(path.dirname(path.join(folder, "pizza-desk", file)), { recursive: true });
      writeFileSync(path.join(folder, "pizza-desk", file), "");
    }
    command("npm", "");
    await takeProject({ VOICE_PROJECT_DIR: path.join(folder, "pizza-desk") });
    expect(files.filter(taken)).toEqual(files.slice(0, 2));
    expect(taken("node_modules")).toBe(false);
    expect(calls()).toEqual(["npm ci --omit=dev --no-audit --no-fund"]);
  });

  it("nothing is taken along where none is named, and one that is not there ends it", async () => {
    await takeProject({});
    expect(taken(".")).toBe(false);
    await expect(takeProject({ VOICE_PROJECT_DIR: path.join(folder, "absent") })).rejects.toThrow("there is no folder");
  });
});

describe("the quotas that were granted", () => {
  const production = { VOICE_SIZE: "production" };

  it("that are enough are said to be, and what nothing can tell is said to be unknown", async () => {
    command("az", quotas({ "GlobalStandard.gpt-5.4-mini": 3000, "DataZoneStandard.gpt-5.4-mini": 540 }));
    const { text, isRefused } = await checkQuotas(production);
    expect(isRefused).toBe(false);
    expect(text).toContain("quotas for 300 calls at a time (production)");
    expect(text).toContain("OpenAI.GlobalStandard.gpt-5.4-mini: 2,700,000 tokens a minute are needed");
    expect(text).toContain(
      "3,000,000 tokens a minute are granted: enough for 333 calls (90,000 tokens a minute of it are",
    );
    expect(text).toContain(
      "speech recognition: 300 at a time are needed, 100 are granted by default, and nothing tells",
    );
    expect(calls()[0]).toContain("usage list --location eastus2");
  });

  it("that are less end the deployment before anything is made, with what to request or to set", async () => {
    command("az", quotas({ "GlobalStandard.gpt-5.4-mini": 500, "DataZoneStandard.gpt-5.4-mini": 1000 }));
    const { text, isRefused } = await checkQuotas(production);
    expect(isRefused).toBe(true);
    expect(text).toContain("500,000 tokens a minute are granted: enough for 55 calls");
    expect(text).toContain("azd env set VOICE_MODEL_CAPACITY 500");
    // Who has read that may go on.
    const settled = await checkQuotas({ ...production, VOICE_MODEL_CAPACITY: "500" });
    expect(settled.isRefused).toBe(false);
    expect(settled.text).toContain("VOICE_MODEL_CAPACITY deploys 500,000 tokens a minute: enough for 55 calls");
  });

  it("of nothing at all end it, too, and a fallback can be left out", async () => {
    command("az", quotas({ "GlobalStandard.gpt-5.4-mini": 3000, "DataZoneStandard.gpt-5.4-mini": 0 }));
    const { text, isRefused } = await checkQuotas(production);
    expect(isRefused).toBe(true);
    expect(text).toContain("azd env set VOICE_FALLBACK_MODEL none");
    expect((await checkQuotas({ ...production, VOICE_FALLBACK_MODEL: "none" })).isRefused).toBe(false);
  });

  it("are found under Azure's other spelling, and one that is not listed is not known", async () => {
    command("az", quotas({ "GlobalStandard.gpt4.1-mini": 3000 }));
    const { text, isRefused } = await checkQuotas({ ...production, VOICE_MODEL: "gpt-4.1-mini" });
    expect(isRefused).toBe(false);
    expect(text).toContain("OpenAI.GlobalStandard.gpt-4.1-mini: 2,700,000 tokens a minute are needed; 3,000,000");
    expect(text).toContain(
      "OpenAI.DataZoneStandard.gpt-4.1-mini: 540,000 tokens a minute are needed; eastus2 lists no",
    );
  });

  it("that cannot be read stop nothing, and are not taken for enough", async () => {
    command("az", `echo "Please run 'az login' to setup account." >&2; exit 1`);
    const { text, isRefused } = await checkQuotas(production);
    expect(isRefused).toBe(false);
    expect(text).toContain("is not known: Please run 'az login'");
    expect(text).toContain("2,700,000 tokens a minute are needed; what is granted is not known");
    expect((await checkQuotas({ ...production, AZURE_LOCATION: "" })).text).toContain("the region is not chosen yet");
  });
});

describe("a private link to the functions app", () => {
  const names = { VOICE_PRIVATE_ORIGINS: "true", FUNCTIONS_ID: "/sites/func-voice", FRONT_DOOR_ID: "fd-1" };

  it("is approved once Front Door has asked for it, and no other one is", async () => {
    command(
      "az",
      `case "$*" in *" list "*) ${atFirst("exit 0")}; printf 'Pending\\t/connections/1\\nApproved\\t/connections/2\\n';; esac`,
    );
    command("sleep", "");
    expect(await hook("approve-private-origin.sh", names)).toContain("approved the private link of Front Door fd-1");
    expect(calls()[0]).toContain("contains(properties.privateLinkServiceConnectionState.description, 'fd-1')");
    const approvals = calls().filter((call) => call.includes(" approve "));
    expect(approvals).toEqual([expect.stringContaining("--id /connections/1 ")]);
  });

  it("is not looked for where none was wanted", async () => {
    command("az", "");
    await hook("approve-private-origin.sh", {});
    expect(() => calls()).toThrow("ENOENT");
  });
});
