import { expect, it } from "vitest";
import { partyOfText } from "../calls/party.ts";
import { routeOf } from "./conversation-routes.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { acceptRoutes, checkRoutes } from "./published-routes.ts";
import { catalogOfTenant } from "./tenant-catalog.ts";

const scenario = "agents: [desk]\nstart_agent: desk\ndescription: Answers.";
const catalog = parseCatalog(
  [
    new Map([
      [
        "agents/_defaults.yaml",
        "model: { cascade: { deployment_id: gpt }, realtime: { deployment_id: rt } }\nvoice: { name: en-US-AvaNeural }\nspeech: {}",
      ],
      ["agents/desk/agent.yaml", "description: Answers."],
      ["agents/desk/prompt.md", "You answer."],
      ["scenarios/clinic.yaml", scenario],
      ["scenarios/shop.yaml", scenario],
    ]),
  ],
  { tools: new Map(), mcpServers: [] },
);
const rows = [
  { number: "+12025550100", tenant: "acme", scenario: "clinic", agent: "nobody" },
  { number: "+12025550101", scenario: "shop" },
  { number: "+12025550102", scenario: "shop", colour: "green" },
];

it("[ROUTE-11] lets nothing enter by a published row that no longer passes, whose scenario stays its tenant's", () => {
  expect(checkRoutes(rows, catalog.scenarios).ok).toBe(false);
  const { routes, leftOut } = acceptRoutes(rows, catalog.scenarios);
  expect(leftOut).toEqual([
    { kind: "route", name: "routes.0", fields: ["routes.0.agent"] },
    { kind: "route", name: "routes.2", fields: ["colour"] },
  ]);
  const by = (number: string) =>
    routeOf(routes, { channel: "phone", called: partyOfText(number) }, { wallMs: 0, timeZone: "UTC" });
  expect(["+12025550100", "+12025550101", "+12025550102"].map((number) => by(number)?.route.scenario)).toEqual([
    undefined,
    "shop",
    undefined,
  ]);
  expect([...catalogOfTenant({ ...catalog, routes }, "globex").scenarios.keys()]).toEqual(["shop"]);
});
