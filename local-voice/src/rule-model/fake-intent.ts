/** An intent with only what a test is about: it answers with its own name. */
import type { Intent } from "../rules/rules.ts";

export const intent = (name: string, more: Partial<Intent>): Intent => ({
  name,
  examples: [],
  slots: [],
  action: { type: "say", say: `${name}.` },
  after: {},
  ...more,
});
