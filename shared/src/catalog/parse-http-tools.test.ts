import { demoTools } from "../demo/demo-parts.ts";
import { describe, expect, it } from "vitest";
import { requireSettingsOfHttpTools } from "./check-http-tools.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { problemLine, CatalogError } from "./problems.ts";

const known = { tools: demoTools, mcpServers: [] };

const agent = `
description: Takes orders.
tools: [order_status]
voice: { name: en-US-JennyNeural }
model: { cascade: { deployment_id: a }, realtime: { deployment_id: b } }
`;
const orderStatus = `
description: Looks an order up by its number.
parameters:
  type: object
  properties: { order: { type: string, pattern: "^[0-9]{4}$" } }
  required: [order]
request:
  url: https://orders.example/v1/orders/{{ args.order }}
  headers: { Authorization: "Bearer {{ secrets.ORDERS_TOKEN }}" }
response:
  result: { state: order.state }
  errors: { "404": There is no such order. }
`;

function parse(tools: Readonly<Record<string, string>>) {
  const files = new Map([
    ["agents/waiter/agent.yaml", agent],
    ["agents/waiter/prompt.md", "You take orders."],
    ...Object.entries(tools).map(([name, text]): [string, string] => [`tools/${name}.yaml`, text]),
  ]);
  return parseCatalog([files], known);
}

function problemsOf(tools: Readonly<Record<string, string>>): readonly string[] {
  try {
    parse(tools);
    return [];
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return error.problems.map(problemLine);
  }
}

describe("a tool that is a file", () => {
  it("can be used by an agent, and checks its arguments by its JSON Schema", () => {
    const { httpTools } = parse({ order_status: orderStatus });
    const tool = httpTools.get("order_status");
    expect(tool?.parameters.safeParse({ order: "4412" }).success).toBe(true);
    expect(tool?.parameters.safeParse({ order: "44" }).success).toBe(false);
    expect(tool?.parameters.safeParse({}).success).toBe(false);
    expect(tool).toMatchObject({
      hasSideEffects: false,
      timeoutMs: 8000,
      result: { state: { path: "order.state", isRequired: true } },
    });
  });

  it("is one that leaves something behind, unless it is a GET or says otherwise", () => {
    const post = orderStatus.replace("request:\n", "request:\n  method: POST\n");
    const { httpTools } = parse({ order_status: orderStatus, book: post, search: `${post}side_effects: false\n` });
    expect([...httpTools.values()].map(({ hasSideEffects }) => hasSideEffects)).toEqual([false, true, false]);
  });

  it("is refused by file and key, with all its mistakes at once", () => {
    const wrong = `
description: Looks an order up.
parameters: { type: string }
request:
  url: https://{{ args.host }}/orders/{{ arg.order }}
  headers: { Host: other.example }
timeout_ms: 90000
colour: red
`;
    expect(problemsOf({ order_status: wrong }).toSorted()).toEqual([
      "tools/order_status.yaml: colour: unknown key (line 8)",
      "tools/order_status.yaml: parameters: expected a JSON Schema of an object (type: object) (line 3)",
      "tools/order_status.yaml: request.headers.Host: this header is not the tool's to set (line 6)",
      "tools/order_status.yaml: request.url: expected an http or https URL whose host is no template, without a user name or a password (line 5)",
      "tools/order_status.yaml: timeout_ms: Too big: expected number to be <=30000 (line 7)",
    ]);
  });

  it.each(["https://user:pass@orders.example/", "https://:pass@orders.example/"])(
    "has no name and password in its address: %s",
    (url) => {
      const problems = problemsOf({ order_status: orderStatus.replace(/url: .*/, `url: ${url}`) });
      expect(problems.join()).toContain("without a user name or a password");
    },
  );

  it("is refused where it requires an argument that it does not describe", () => {
    const problems = problemsOf({ order_status: orderStatus.replace("required: [order]", "required: [ordre]") });
    expect(problems).toEqual([
      'tools/order_status.yaml: parameters.required: "ordre" is not among the properties (line 6)',
    ]);
  });

  it.each([
    [
      "{ type: strng }",
      "properties.order: expected a JSON Schema by which arguments can be checked (Unsupported type: strng)",
    ],
    [
      '{ $ref: "https://orders.example/order.json" }',
      "properties.order: expected a JSON Schema by which arguments can be checked (External $ref is not supported, only local refs (#/...) are allowed)",
    ],
    ["string", "properties.order: expected a JSON Schema by which arguments can be checked"],
  ])("names the argument whose schema is none, and what is wrong with it: %s", (order, problem) => {
    const parameters = `parameters:\n  type: object\n  properties:\n    day: { type: string }\n    order: ${order}\n`;
    const problems = problemsOf({ order_status: orderStatus.replace(/parameters:[^]*?(?=request:)/, parameters) });
    expect(problems[0]).toMatch(/^tools\/order_status\.yaml: parameters\./);
    expect(problems[0]).toContain(`${problem} (line`);
  });

  it("knows its variables: secrets in headers only", () => {
    const leaky = orderStatus.replace("{{ args.order }}", "{{ secrets.ORDERS_TOKEN }}");
    expect(problemsOf({ order_status: leaky })).toEqual([
      expect.stringMatching(/^tools\/order_status\.yaml: request\.url: unknown variable secrets /),
    ]);
  });

  it("cannot have the name of another tool or of a handoff", () => {
    expect(problemsOf({ order_status: orderStatus, end_call: orderStatus, handoff_x: orderStatus })).toEqual([
      'tools/end_call.yaml: "end_call" is the name of another tool, built in or of TOOLS_DIR; choose another one',
      expect.stringContaining("tools/handoff_x.yaml: the file's name must match"),
    ]);
  });

  it.each(["secrets.orders_token", "secrets['orders_token']", 'secrets["orders_token"]'])(
    "is refused where no secret has the name that it gives: %s",
    (name) => {
      const misspelt = orderStatus.replace("secrets.ORDERS_TOKEN", name.replaceAll('"', '\\"'));
      const settings = { toolHosts: ["orders.example"], toolPrivateHosts: [] };
      const toolSecrets = new Map([["ORDERS_TOKEN", "x"]]);
      expect(() =>
        requireSettingsOfHttpTools(parse({ order_status: misspelt }).httpTools, { ...settings, toolSecrets }),
      ).toThrow("names secrets.orders_token, which is not among them");
    },
  );

  it("calls only hosts that the settings allow, and uses only secrets that the settings hold", () => {
    const { httpTools } = parse({
      order_status: orderStatus,
      stock: orderStatus.replace("https://orders.example", "http://stock.internal:8080"),
    });
    const none = { toolHosts: [], toolPrivateHosts: [] };
    expect(() => requireSettingsOfHttpTools(httpTools, none)).toThrow(
      expect.objectContaining({
        problems: [
          'TOOL_HOSTS: tools/order_status.yaml calls "orders.example", which is not among them',
          "TOOL_SECRETS: tools/order_status.yaml names secrets.ORDERS_TOKEN, which is not among them",
          'TOOL_PRIVATE_HOSTS: tools/stock.yaml calls "stock.internal:8080" over plain http, which is for hosts among these only',
          "TOOL_SECRETS: tools/stock.yaml names secrets.ORDERS_TOKEN, which is not among them",
        ],
      }),
    );
    const toolSecrets = new Map([["ORDERS_TOKEN", "x"]]);
    const enough = { toolHosts: ["orders.example"], toolPrivateHosts: ["stock.internal:8080"], toolSecrets };
    expect(() => requireSettingsOfHttpTools(httpTools, enough)).not.toThrow();
  });
});
