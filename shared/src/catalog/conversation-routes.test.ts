import { describe, expect, it } from "vitest";
import { partyOfText } from "../calls/party.ts";
import { routeOf, routesFile, toRoutes } from "./conversation-routes.ts";
import type { Entrance } from "./conversation-routes.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { CatalogError, problemLine } from "./problems.ts";

const clinic = {
  number: ["+1 202 555 0100", "8:orgid:AB12"],
  scenario: "clinic",
  agent: "reception",
  language: "de-DE",
  time_zone: "Europe/Berlin",
  hours: { "mon-fri": ["08:00-12:00", "13:00-18:00"], sat: "22:00-02:00" },
  closed_on: ["2026-12-25"],
  closed: { say: "We are closed." },
};
const browser = { channel: "browser", scenario: "shop" };
const routes = toRoutes(routesFile.parse({ routes: [clinic, browser] }));

function now(entrance: Entrance, time: string) {
  return routeOf(routes, entrance, { wallMs: Date.parse(time), timeZone: "UTC" });
}

const called = partyOfText("+12025550100");

const defaults = `
model: { cascade: { deployment_id: gpt }, realtime: { deployment_id: rt } }
voice: { name: en-US-AvaNeural }
speech: {}
`;

describe("the table of routes", () => {
  it("[ROUTE-1] finds a row by the number that was called, or by the channel where no row has the number", () => {
    expect(now({ channel: "phone", called }, "2026-03-20T10:00Z")?.route).toMatchObject({
      scenario: "clinic",
      agent: "reception",
      language: "de-DE",
      timeZone: "Europe/Berlin",
    });
    expect(now({ channel: "telephony", called: { rawId: "8:orgid:ab12" } }, "2026-03-20T10:00Z")?.route.scenario).toBe(
      "clinic",
    );
    expect(now({ channel: "browser", called: partyOfText("+12025550199") }, "2026-03-20T10:00Z")?.route.scenario).toBe(
      "shop",
    );
    expect(now({ channel: "media" }, "2026-03-20T10:00Z")).toBeUndefined();
  });

  it.each([
    ["2026-03-20T07:30Z", true], // a Friday, half past eight in Berlin
    ["2026-03-20T06:30Z", false],
    ["2026-03-20T11:30Z", false], // noon
    ["2026-03-20T17:00Z", false], // the end is not within
    ["2026-03-22T00:30Z", true], // after midnight of Saturday
    ["2026-03-22T01:30Z", false],
    ["2026-06-19T06:30Z", true], // in summer Berlin is two hours ahead
    ["2026-12-25T10:00Z", false],
  ])("[ROUTE-3] knows by the clock of the row's own time zone whether somebody answers: %s", (time, isOpen) => {
    expect(now({ channel: "phone", called }, time)).toMatchObject(
      isOpen
        ? { isOpen, target: { scenario: "clinic" }, say: undefined }
        : { isOpen, target: undefined, say: "We are closed." },
    );
  });

  it("[ROUTE-3] begins with another scenario outside of the hours where the row says so", () => {
    const closed = { scenario: "after-hours", agent: "night" };
    const [route] = toRoutes(routesFile.parse({ routes: [{ ...clinic, closed }] }));
    const at = { wallMs: Date.parse("2026-03-22T10:00Z"), timeZone: "UTC" };
    expect(route && routeOf([route], { channel: "phone", called }, at)).toMatchObject({ target: closed });
  });
});

describe("the file", () => {
  const common = ["agents/_defaults.yaml", defaults] as const;
  const agent = ["agents/desk/agent.yaml", "description: A desk.\n"] as const;
  const prompt = ["agents/desk/prompt.md", "You are a desk.\n"] as const;
  const scenario = ["scenarios/clinic.yaml", "description: One.\nagents: [desk]\nstart_agent: desk\n"] as const;

  function problemsOf(text: string): readonly string[] {
    try {
      parseCatalog([new Map([common, agent, prompt, scenario, ["routes.yaml", text]])], {
        tools: new Map(),
        mcpServers: [],
      });
      return [];
    } catch (error) {
      if (error instanceof CatalogError) return error.problems.map(problemLine);
      throw error;
    }
  }

  it("[ROUTE-4] is checked with the catalog: names, numbers, hours and rows that would never count", () => {
    const rows = [
      '- { number: "+12025550100", scenario: clinik }',
      '- { number: "+12025550100", scenario: clinic, agent: nobody }',
      "- { channel: browser, scenario: clinic, hours: { mon: 08:00-18:00 }, closed: { scenario: night } }",
    ];
    expect(problemsOf(`routes:\n${rows.join("\n")}\n`)).toEqual([
      'routes.yaml: routes.0.scenario: unknown scenario "clinik" (did you mean "clinic"?) (line 2)',
      'routes.yaml: routes.1.agent: "nobody" is not an agent of the scenario "clinic" (line 3)',
      "routes.yaml: routes.1.number: an earlier row has it already (line 3)",
      'routes.yaml: routes.2.closed.scenario: unknown scenario "night" (line 4)',
    ]);
  });

  it.each([
    ["{ scenario: clinic }", "expected either number or channel"],
    ["{ number: +12025550100, scenario: clinic }", "expected a number in quotes, or a list of them"],
    ['{ number: "555", scenario: clinic }', "expected a phone number with its country code"],
    ["{ channel: phone, scenario: clinic, hours: { mon: 8-18 }, closed: { say: No. } }", "a span"],
    ["{ channel: phone, scenario: clinic, hours: { mon: 08:00-18:00 } }", "belong together"],
    [
      "{ channel: browser, scenario: clinic, hours: { mon: 08:00-18:00 }, closed: { say: No. } }",
      "only a phone call can be answered by a sentence alone",
    ],
  ])("[ROUTE-4] refuses %s", (row, problem) => {
    expect(problemsOf(`routes: [${row}]\n`).join("\n")).toContain(problem);
  });

  it("[ROUTE-4] is accepted where it is right", () => {
    expect(problemsOf('routes:\n  - { number: "+12025550100", scenario: clinic, agent: desk }\n')).toEqual([]);
  });
});
