/** `number=scenario` or `number=scenario/agent` pairs: the scenario for calls to each of the service's numbers. */
import { z } from "zod";
import type { Kind } from "./kinds.ts";

export interface CallStart {
  readonly scenario: string;
  /** The scenario's own start agent if absent. */
  readonly agent?: string | undefined;
}

const pairForm = /^(\+[1-9]\d{1,14})=([A-Za-z][\w-]*)(?:\/([A-Za-z][\w-]*))?$/;

export const calledNumberList: Kind<ReadonlyMap<string, CallStart>> = {
  says: "`number=scenario` or `number=scenario/agent` pairs separated by commas; a number is in E.164 form",
  schema: z.string().transform((value, context) => {
    const starts = new Map<string, CallStart>();
    for (const pair of value.split(",").map((part) => part.trim())) {
      if (pair === "") continue;
      const [, number, scenario, agent] = pairForm.exec(pair) ?? [];
      if (number === undefined || scenario === undefined || starts.has(number))
        context.addIssue({
          code: "custom",
          message: "must be number=scenario pairs such as +12025550100=insurance, each number once",
        });
      else starts.set(number, { scenario, agent });
    }
    return starts;
  }),
};
