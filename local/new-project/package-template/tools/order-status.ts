// A tool in code: it looks up what a database or a service of yours would know. docs/tools.md of the service has more.
import { defineTool, failed } from "@voice/tool-kit";
import { z } from "zod";

const orders = new Map([
  ["4412", { state: "in the oven", minutes: 20 }],
  ["4413", { state: "on its way", minutes: 5 }],
]);

export default defineTool({
  name: "order_status",
  description: "Looks an order up by its number, and says where it is and how many minutes it takes.",
  parameters: z.object({
    order: z
      .string()
      .regex(/^\d{4}$/)
      .describe("The order's four digits."),
  }),
  result: z.object({ state: z.string(), minutes: z.number() }),
  slowNotice: "Let me look that up.",
  run: ({ order }) => orders.get(order) ?? failed("no_such_order", "There is no order with this number."),
});
