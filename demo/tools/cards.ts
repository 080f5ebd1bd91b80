import { z } from "zod";
import type { Card } from "./customers/profile.ts";
import { failed } from "@voice/tool-kit";
import { defineGuardedTool, defineProfileTool, type ProfileContext } from "./customers/define-tools.ts";

const card = z.enum(["credit", "debit"]).describe("Which kind of card.");

export const getCardDetails = defineGuardedTool({
  name: "get_card_details",
  description: "Product, status, limit and balance of the caller's credit or debit card.",
  parameters: z.object({ card }),
  run: ({ card: type }, context) => {
    const found = findCard(context, type);
    if (found === undefined) return noSuchCard(type);
    const { product, status, card_last4, credit_limit, balance, expires } = found;
    return { card: type, product, status, card_last4, credit_limit, balance, expires };
  },
});

/** Needs no identification: a lost card must be blocked before anything else, and blocking it harms nobody. */
export const blockCard = defineProfileTool({
  name: "block_card",
  description: "Blocks a lost or stolen card at once. Ask the caller to confirm first.",
  parameters: z.object({ card }),
  sideEffects: true,
  slowNotice: "I am blocking it now.",
  run: async ({ card: type }, context) => {
    const found = findCard(context, type);
    if (found === undefined) return noSuchCard(type);
    if (found.status !== "active") return failed("already_blocked", `Your ${type} card is blocked already.`);
    await setStatus(context, found, "blocked");
    context.remember({ last_card: type });
    return { card: type, card_last4: found.card_last4, status: "blocked" };
  },
});

export const orderReplacementCard = defineGuardedTool({
  name: "order_replacement_card",
  description: "Orders a new card in place of a blocked one. It comes by mail.",
  parameters: z.object({ card }),
  sideEffects: true,
  run: async ({ card: type }, context) => {
    const found = findCard(context, type);
    if (found === undefined) return noSuchCard(type);
    if (found.status === "active")
      return failed("not_blocked", `Your ${type} card is still active. It has to be blocked first.`);
    if (found.status === "replaced") return failed("already_ordered", "A new card is on its way already.");
    await setStatus(context, found, "replaced");
    return { card: type, business_days: 5, address: "the address on file" };
  },
});

function findCard(context: ProfileContext, type: Card["type"]): Card | undefined {
  return context.profile.cards.find((candidate) => candidate.type === type);
}

function noSuchCard(type: string): ReturnType<typeof failed> {
  return failed("no_such_card", `You have no ${type} card with us.`);
}

async function setStatus(context: ProfileContext, target: Card, status: Card["status"]): Promise<void> {
  await context.changeProfile(({ cards }) => ({
    cards: cards.map((other) => (other.card_id === target.card_id ? Object.assign({}, other, { status }) : other)),
  }));
}
