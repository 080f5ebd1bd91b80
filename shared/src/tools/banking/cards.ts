import { z } from "zod";
import type { Card } from "../../profiles/demo-profile.ts";
import { defineTool } from "../define-tool.ts";
import { changeProfile, profileOf } from "../profile-access.ts";

export const blockCard = defineTool({
  name: "block_card",
  description: "Blocks a lost or stolen card at once. Ask the caller to confirm first.",
  parameters: z.object({ card: z.enum(["credit", "debit"]).describe("Which kind of card.") }),
  onInterruption: "finish",
  slowNotice: "I am blocking it now.",
  run: async ({ card: type }, context) => {
    const { cards } = profileOf(context);
    const card = cards.find((candidate) => candidate.type === type);
    if (card === undefined)
      return { result: { success: false, error: "no_such_card", message: `You have no ${type} card with us.` } };
    if (card.status !== "active")
      return {
        result: { success: false, error: "already_blocked", message: `Your ${type} card is blocked already.` },
      };
    const memory = await changeProfile(context, {
      cards: cards.map((other) => (other.card_id === card.card_id ? withStatus(other, "blocked") : other)),
    });
    return { result: { success: true, card: type, card_last4: card.card_last4, status: "blocked" }, memory };
  },
});

function withStatus(card: Card, status: Card["status"]): Card {
  return { ...card, status };
}
