/** What the templates let in: who may do what, over which connections, with which proof. */
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { expect, it } from "vitest";
import { z } from "zod";
import { entriesOf, textAt, valueAt } from "./bicep-value.ts";
import { parameterFiles, templateAt, templates } from "./templates.ts";

const made = templates.flatMap(({ path, resources }) =>
  resources.filter(({ isExisting }) => !isExisting).map((resource) => ({ ...resource, path })),
);
const everything = [...templates, ...parameterFiles];

function propertyOf(type: string, path: string): unknown[] {
  const found = made.filter((resource) => resource.type === type);
  if (found.length === 0) throw new Error(`no ${type} is made`);
  return found.map(({ body }) => valueAt(body, `properties.${path}`));
}

it("gives the apps' identity the five rights of the service's specification and those that the code needs", () => {
  const { resources, variables } = templateAt("modules/roles.bicep");
  const assignments = resources
    .filter(({ type }) => type === "Microsoft.Authorization/roleAssignments")
    .map(({ body }) => {
      const role = /roles\.(\w+)\)$/.exec(textAt(body, "properties.roleDefinitionId"))?.[1];
      return `${textAt(body, "properties.principalId")}: ${role} on ${textAt(body, "scope")}`;
    });
  expect(assignments.toSorted()).toEqual([
    "communicationPrincipalId: cognitiveServicesUser on ai",
    "deployerId: appConfigurationDataOwner on configuration",
    "deployerId: keyVaultSecretsOfficer on vault",
    "principalId: acrPull on registry",
    "principalId: appConfigurationDataReader on configuration",
    "principalId: cognitiveServicesOpenAiUser on ai",
    "principalId: cognitiveServicesUser on ai",
    "principalId: communicationAndEmailServiceOwner on communication",
    "principalId: keyVaultSecretsUser on vault",
    "principalId: monitoringMetricsPublisher on insights",
    "principalId: storageBlobDataContributor on recordingsStorage",
    "principalId: storageBlobDataOwner on functionsStorage",
    "principalId: webPubSubServiceOwner on webPubSub",
  ]);
  const ids = Object.values(entriesOf(variables["roles"]));
  expect(ids).toHaveLength(12);
  expect(new Set(ids).size).toBe(12);
});

it("gives each role on one resource, and none elsewhere", () => {
  const elsewhere = made.filter(
    ({ type, path }) => type === "Microsoft.Authorization/roleAssignments" && path !== "modules/roles.bicep",
  );
  expect(elsewhere).toEqual([]);
  // Named by what it is about, so that a second deployment finds it, and a second principal does not collide with it.
  const names = made
    .filter(({ type }) => type === "Microsoft.Authorization/roleAssignments")
    .map(({ body }) => `${textAt(body, "name")} ${textAt(body, "scope")}`);
  for (const name of names) expect(name).toMatch(/^guid\((\w+)\.id, (\w+), roles\.\w+\) \1$/);
});

it("lets the apps into the data of Redis and of the archive by assignments of those services' own", () => {
  expect(propertyOf("Microsoft.Cache/redisEnterprise/databases/accessPolicyAssignments", "user.objectId")).toEqual([
    "principalId",
  ]);
  const roles = propertyOf("Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments", "roleDefinitionId");
  expect(roles).toEqual([expect.stringContaining("00000000-0000-0000-0000-000000000002")]);
});

it.each([
  ["Microsoft.AppConfiguration/configurationStores", "disableLocalAuth", true],
  ["Microsoft.Cache/redisEnterprise/databases", "accessKeysAuthentication", "Disabled"],
  ["Microsoft.CognitiveServices/accounts", "disableLocalAuth", true],
  ["Microsoft.Communication/communicationServices", "disableLocalAuth", true],
  ["Microsoft.ContainerRegistry/registries", "adminUserEnabled", false],
  ["Microsoft.DocumentDB/databaseAccounts", "disableLocalAuth", true],
  ["Microsoft.Insights/components", "DisableLocalAuth", true],
  ["Microsoft.KeyVault/vaults", "enableRbacAuthorization", true],
  ["Microsoft.OperationalInsights/workspaces", "features.disableLocalAuth", true],
  ["Microsoft.SignalRService/webPubSub", "disableLocalAuth", true],
  ["Microsoft.Storage/storageAccounts", "allowSharedKeyAccess", false],
  ["Microsoft.Web/sites/basicPublishingCredentialsPolicies", "allow", false],
])("accepts no key at %s", (type, property, value) => {
  const values = propertyOf(type, property);
  expect(values).toEqual(values.map(() => value));
});

it.each([
  ["Microsoft.App/containerApps", "configuration.ingress.allowInsecure", false],
  ["Microsoft.Cache/redisEnterprise", "minimumTlsVersion", "1.2"],
  ["Microsoft.Cache/redisEnterprise/databases", "clientProtocol", "Encrypted"],
  ["Microsoft.Cdn/profiles/afdEndpoints/routes", "forwardingProtocol", "HttpsOnly"],
  ["Microsoft.Cdn/profiles/afdEndpoints/routes", "httpsRedirect", "Enabled"],
  ["Microsoft.DocumentDB/databaseAccounts", "minimalTlsVersion", "Tls12"],
  ["Microsoft.EventGrid/systemTopics/eventSubscriptions", "destination.properties.minimumTlsVersionAllowed", "1.2"],
  ["Microsoft.Storage/storageAccounts", "minimumTlsVersion", "TLS1_2"],
  ["Microsoft.Storage/storageAccounts", "supportsHttpsTrafficOnly", true],
  ["Microsoft.Web/sites", "httpsOnly", true],
  ["Microsoft.Web/sites", "siteConfig.minTlsVersion", "1.2"],
  ["Microsoft.Web/sites", "siteConfig.scmMinTlsVersion", "1.2"],
])("speaks TLS 1.2 or later, and nothing plain, at %s (%s)", (type, property, value) => {
  const values = propertyOf(type, property);
  expect(values).toEqual(values.map(() => value));
});

it("asks no service for its keys and writes no secret", () => {
  for (const { path, text } of everything) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    expect({
      path,
      keys: /list(?:Keys|AccountSas|ServiceSas|Secrets)\b|AccountKey=|SharedAccessKey/i.exec(code),
    }).toEqual({
      path,
      keys: null,
    });
  }
  expect(made.filter(({ type }) => type === "Microsoft.KeyVault/vaults/secrets")).toEqual([]);
});

it("has one secret parameter, which comes from the vault and leaves in one place", () => {
  const secrets = templates.flatMap(({ path, parameters }) =>
    parameters.filter(({ isSecure }) => isSecure).map(({ name }) => `${path}: ${name}`),
  );
  expect(secrets).toEqual(["incoming-calls.bicep: webhookSecret"]);
  const file = parameterFiles.find(({ path }) => path === "incoming-calls.bicepparam");
  expect(textAt(file?.variables, "webhookSecret")).toMatch(/^az\.getSecret\(/);
  expect(templateAt("incoming-calls.bicep").outputs).toEqual([]);
});

it("lets requests to the functions app in by its own Front Door only", () => {
  const site = made.find(({ type }) => type === "Microsoft.Web/sites");
  expect(valueAt(site?.body, "properties.siteConfig.ipSecurityRestrictionsDefaultAction")).toBe("Deny");
  // By a private link, for which these rules do not hold, or with its id.
  const rules = valueAt(site?.body, "properties.siteConfig.ipSecurityRestrictions");
  expect(rules).toBe("privateOrigin ? [] : fromFrontDoor");
  expect(templateAt("modules/functions.bicep").variables["fromFrontDoor"]).toEqual([
    expect.objectContaining({ ipAddress: "AzureFrontDoor.Backend", headers: { "x-azure-fdid": ["frontDoorId"] } }),
  ]);
});

it("limits the rate of every address at Front Door, and lets through unread only what reports calls", () => {
  const { resources, variables } = templateAt("modules/firewall.bicep");
  const policy = resources.find(({ symbol }) => symbol === "policy");
  expect(valueAt(policy?.body, "properties.policySettings.mode")).toBe("Prevention");
  const rules = z
    .array(z.looseObject({ ruleType: z.string(), action: z.string() }))
    .parse(valueAt(policy?.body, "properties.customRules.rules"));
  expect(rules.map(({ ruleType, action }) => `${ruleType} ${action}`)).toEqual([
    "RateLimitRule Block",
    "RateLimitRule Block",
    "MatchRule Allow",
  ]);
  const reports = new RegExp(z.string().parse(variables["reportsOfCalls"]));
  const paths = endpoints.filter(({ path }) => /^\/calls\/(answer|callbacks)$/.test(path)).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    expect(reports.test(`https://voice.example.com:443/api/v1${path}?secret=x`)).toBe(true);
    expect(reports.test(`/api/v1${path}`)).toBe(true);
    expect(reports.test(`/api/v1/agents?of=/api/v1${path}`)).toBe(false);
    expect(reports.test(`https://voice.example.com/api/v1/agents#https://x/api/v1${path}`)).toBe(false);
    expect(reports.test(`/api/v1${path}-and-more`)).toBe(false);
  }
});

it("writes down what every service does that can", () => {
  const scopes = made
    .filter(({ type }) => type === "Microsoft.Insights/diagnosticSettings")
    .map(({ body }) => textAt(body, "scope"));
  expect(scopes.toSorted()).toEqual([
    "ai",
    "archive",
    "communication",
    "configuration",
    "containers",
    "frontDoor",
    "functions",
    "functionsBlobs",
    "recordingsBlobs",
    "redisDatabase",
    "registry",
    "topic",
    "vault",
    "webPubSub",
  ]);
  expect(propertyOf("Microsoft.OperationalInsights/workspaces", "workspaceCapping.dailyQuotaGb")).toEqual([
    "gigabytesPerDay",
  ]);
});

it("keeps audit records from being changed, and lets the apps go on with the day's", () => {
  const policies = "Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies";
  expect(propertyOf(policies, "allowProtectedAppendWrites")).toEqual([true]);
  expect(propertyOf(policies, "immutabilityPeriodSinceCreationInDays")).toEqual(["auditDays"]);
  // A rule without a prefix would delete the blobs of both containers after the days of one.
  expect(templateAt("modules/storage.bicep").text).toContain("prefixMatch: map(span.containers");
});

it("closes with private networking whatever can be closed", () => {
  const open = made
    .filter(({ body }) => valueAt(body, "properties.publicNetworkAccess") !== undefined)
    .map(({ type, body }) => `${type} ${textAt(body, "properties.publicNetworkAccess")}`);
  expect(open.filter((entry) => !entry.endsWith(" publicNetworkAccess"))).toEqual([
    // The regional speech hosts do not go through a private endpoint.
    "Microsoft.CognitiveServices/accounts Enabled",
    // azd deploys to it; nobody reaches the app itself.
    "Microsoft.Web/sites privateOrigin ? 'Enabled' : null",
    // Dashboards connect to it from outside, and may do nothing else there.
    "Microsoft.SignalRService/webPubSub Enabled",
  ]);
  const { modules } = templateAt("main.bicep");
  const closable = modules.filter(({ params }) => "publicNetworkAccess" in params).map(({ symbol }) => symbol);
  const targets = modules.find(({ symbol }) => symbol === "privateEndpoints")?.params["targets"];
  const reached = Array.isArray(targets) ? targets.map((target) => textAt(target, "id")) : [];
  expect(closable.length).toBeGreaterThan(6);
  expect(reached.toSorted()).toEqual(closable.map((symbol) => `${symbol}.outputs.id`).toSorted());
});
