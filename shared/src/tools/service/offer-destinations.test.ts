import { describe, expect, it } from "vitest";
import { demoTools } from "../../demo/demo-parts.ts";
import { toolSchema } from "../define-tool.ts";
import { offerDestinations } from "./offer-destinations.ts";

function departmentsWith(...names: string[]): unknown {
  const destinations = new Map(names.map((name) => [name, "+12025550150"]));
  const transfer = offerDestinations(demoTools, destinations).get("transfer_call");
  if (transfer === undefined) throw new Error("there is no such tool");
  return toolSchema(transfer)["properties"];
}

describe("offerDestinations", () => {
  it("[EFFECT-5] offers a model the departments that the settings name, and no person: that is another tool's", () => {
    expect(departmentsWith("person", "claims", "back-office")).toMatchObject({
      department: { type: "string", enum: ["claims", "back-office"] },
      reason: { type: "string" },
    });
  });

  it("leaves the tool as it is where no department is named", () => {
    expect(offerDestinations(demoTools, new Map([["person", "+12025550150"]]))).toBe(demoTools);
  });

  it("[EFFECT-12b] gives a model no number", () => {
    expect(JSON.stringify(departmentsWith("claims"))).not.toContain("+1202");
  });
});
