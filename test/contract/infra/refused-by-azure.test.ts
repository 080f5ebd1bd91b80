/** What Azure's types and so the compiler allow, and Azure refuses all the same when it deploys. */
import { expect, it } from "vitest";
import { entriesOf, valueAt } from "./bicep-value.ts";
import { templateAt } from "./templates.ts";

it("the Flex Consumption plan is told only what it takes", () => {
  const site = templateAt("modules/functions.bicep").resources.find(({ type }) => type === "Microsoft.Web/sites");
  const config = entriesOf(valueAt(site?.body, "properties.siteConfig"));
  // What azurerm's own resource for this plan sends. Of anything else the deployment is refused with error 51021 ("site
  // configuration properties for Flex Consumption sites is invalid"), in one region sooner than in another:
  // microsoft/azure-pipelines-tasks 21032, Azure/terraform-azurerm-avm-res-web-site 345.
  const taken = [
    "appSettings",
    "ipSecurityRestrictions",
    "ipSecurityRestrictionsDefaultAction",
    "minTlsVersion",
    "scmIpSecurityRestrictionsDefaultAction",
    "scmIpSecurityRestrictionsUseMain",
    "scmMinTlsVersion",
  ];
  expect(Object.keys(config).toSorted()).toEqual(taken);
  // The plan has the runtime and the package in functionAppConfig, and refuses these as settings.
  expect(templateAt("modules/functions.bicep").text).not.toMatch(/FUNCTIONS_WORKER_RUNTIME|WEBSITE_RUN_FROM_PACKAGE/);
});
