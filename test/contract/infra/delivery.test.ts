/** The files that azd and GitHub read. Neither runs here: what can be held is that they name things that are there. */
import { accessSync, constants, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { namedSettings } from "@voice/shared/config/settings";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { infra, templateAt, templates } from "./templates.ts";

const root = path.join(infra, "..");
const read = (name: string): unknown => parse(readFileSync(path.join(root, name), "utf8"));

const scripts = z.object({ scripts: z.record(z.string(), z.string()) });
const azure = z.object({
  infra: z.object({ path: z.literal("infra"), module: z.literal("main") }),
  services: z.record(z.string(), z.looseObject({ host: z.string(), uses: z.array(z.string()).optional() })),
  workflows: z.object({ up: z.object({ steps: z.array(z.object({ azd: z.string() })) }) }),
  hooks: z.record(z.string(), z.object({ shell: z.literal("sh"), run: z.string() })),
});
const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({
      "timeout-minutes": z.number(),
      steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});
const workflows = globSync(".github/workflows/*.yml", { cwd: root })
  .toSorted()
  .map((name) => ({ name, ...workflow.parse(read(name)) }));

it("deploys to the apps that the templates make", () => {
  const { services } = azure.parse(read("azure.yaml"));
  const made = templates.flatMap(({ text }) =>
    [...text.matchAll(/'azd-service-name': '([\w-]+)'/g)].map(([, name]) => name ?? ""),
  );
  expect(Object.keys(services)).toEqual(["functions", "streaming-host"]);
  expect(made.toSorted()).toEqual(["functions", "streaming-host"]);
  // azd deploys a template of the service's name with each image.
  expect(templates.map(({ path: name }) => name)).toContain("streaming-host.bicep");
});

it("runs hooks that are there and can be run", () => {
  const { hooks } = azure.parse(read("azure.yaml"));
  const files = Object.values(hooks).flatMap(({ run }) => run.match(/infra\/hooks\/[\w.-]+/g) ?? []);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect(() => accessSync(path.join(root, file), constants.X_OK)).not.toThrow();
});

it("packages the functions of this tree with every deployment, and deploys the hosts first", () => {
  const { hooks, services, workflows } = azure.parse(read("azure.yaml"));
  // "azd deploy" runs the hooks of "deploy" and none of "package", although it packages: a package of before would be deployed.
  const packaging = Object.entries(hooks).filter(([, { run }]) => run.includes("npm run package -- functions"));
  expect(packaging.map(([name]) => name)).toEqual(["predeploy"]);
  // azd's own "up" packages while it provisions, which is before that hook.
  expect(workflows.up.steps.map(({ azd }) => azd)).toEqual(["provision", "deploy --all"]);
  // By their names, or all at once, it would be the other way round.
  expect(services["functions"]?.uses).toEqual(["streaming-host"]);
});

it("calls scripts of this package only where they exist", () => {
  const known = Object.keys(scripts.parse(read("package.json")).scripts);
  const commands = [
    ...workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run ?? ""))),
    ...Object.values(azure.parse(read("azure.yaml")).hooks).map(({ run }) => run),
  ];
  const called = commands.flatMap((command) =>
    [...command.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ""),
  );
  expect(called.length).toBeGreaterThan(1);
  expect(called.filter((name) => !known.includes(name))).toEqual([]);
});

it("limits every job in time, and in rights to those that it needs", () => {
  expect(workflows.map(({ name }) => path.basename(name))).toEqual(["check.yml", "deploy.yml", "release.yml"]);
  for (const { jobs, permissions } of workflows) {
    expect(permissions["contents"]).toBe("read");
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(90);
  }
});

it("deploys with a token of GitHub's own and stores no secret", () => {
  const text = readFileSync(path.join(root, ".github/workflows/deploy.yml"), "utf8");
  expect(text).toContain("id-token: write");
  expect(text).toContain("--federated-credential-provider github");
  expect(text).not.toContain("secrets.");
});

it("sets up a machine of one's own with settings that there are, and with time to drain", () => {
  const service = z.looseObject({
    environment: z.record(z.string(), z.string()).optional(),
    stop_grace_period: z.string().optional(),
  });
  const compose = z.object({ services: z.record(z.string(), service) });
  const { services } = compose.parse(parse(readFileSync(path.join(root, "compose.yaml"), "utf8"), { merge: true }));
  const platform = ["AzureWebJobsScriptRoot", "AzureWebJobsSecretStorageType", "FUNCTIONS_WORKER_RUNTIME"];
  const known = new Set([...namedSettings.map(({ name }) => name), ...platform]);
  const given = Object.values(services).flatMap(({ environment }) => Object.keys(environment ?? {}));
  expect(given.length).toBeGreaterThan(10);
  expect(given.filter((name) => !known.has(name))).toEqual([]);
  const host = services["streaming-host"];
  expect(Number.parseInt(host?.stop_grace_period ?? "", 10)).toBeGreaterThan(
    Number(host?.environment?.["DRAIN_TIMEOUT"]),
  );
});

it("gives the console's pages to the hosts, on a machine of one's own as behind the front door", () => {
  const routes = templateAt("main.bicep").modules.find(({ symbol }) => symbol === "routes");
  const pages = z.array(z.string()).parse(routes?.params["pagePaths"]);
  const compose = readFileSync(path.join(root, "compose.yaml"), "utf8");
  expect(compose).toContain(`@console path ${pages.join(" ")}\n`);
});

it("builds the image from every workspace that the lock file knows", () => {
  const { workspaces } = z.object({ workspaces: z.array(z.string()) }).parse(read("package.json"));
  const dockerfile = readFileSync(path.join(root, "Dockerfile"), "utf8");
  const ignored = readFileSync(path.join(root, ".dockerignore"), "utf8").split("\n");
  for (const workspace of workspaces) {
    expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`);
    expect(ignored.some((line) => line === `!${workspace}` || line === `!${workspace}/package.json`)).toBe(true);
  }
  // The console's is read when it is built, and it extends this one.
  expect(ignored).toContain("!tsconfig.base.json");
  expect(dockerfile).toContain("\nUSER node\n");
  expect(dockerfile).toContain("/healthz");
});
