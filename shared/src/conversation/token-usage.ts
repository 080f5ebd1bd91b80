/** What a conversation costs in tokens, per turn, agent and model. Immutable: adding gives a new account. */

export interface TokenEntry {
  readonly turnId: string;
  readonly agent: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The vendor did not say; the numbers are `estimateTokens`. */
  readonly estimated: boolean;
}

export interface TokenTotals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requests: number;
  /** Some of it was estimated. */
  readonly estimated: boolean;
}

export interface TokenAccount {
  readonly total: TokenTotals;
  readonly byTurn: ReadonlyMap<string, TokenTotals>;
  readonly byAgent: ReadonlyMap<string, TokenTotals>;
  readonly byModel: ReadonlyMap<string, TokenTotals>;
}

const noTokens: TokenTotals = { inputTokens: 0, outputTokens: 0, requests: 0, estimated: false };

export const emptyTokenAccount: TokenAccount = {
  total: noTokens,
  byTurn: new Map(),
  byAgent: new Map(),
  byModel: new Map(),
};

export function addTokens(account: TokenAccount, entry: TokenEntry): TokenAccount {
  return {
    total: plus(account.total, entry),
    byTurn: withEntry(account.byTurn, entry.turnId, entry),
    byAgent: withEntry(account.byAgent, entry.agent, entry),
    byModel: withEntry(account.byModel, entry.model, entry),
  };
}

/** For a turn's metrics: counts that stand beside its latency marks. */
export function turnTokens(account: TokenAccount, turnId: string): TokenTotals {
  return account.byTurn.get(turnId) ?? noTokens;
}

/**
 * Four characters to a token holds for English within a fifth; scripts without spaces use about one token a character.
 * Good enough for a budget, never for a bill.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u{2E80}-\u{9FFF}\u{AC00}-\u{D7AF}\u{F900}-\u{FAFF}]/gu)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4) + wide;
}

function withEntry(
  totals: ReadonlyMap<string, TokenTotals>,
  key: string,
  entry: TokenEntry,
): ReadonlyMap<string, TokenTotals> {
  return new Map(totals).set(key, plus(totals.get(key) ?? noTokens, entry));
}

function plus(totals: TokenTotals, entry: TokenEntry): TokenTotals {
  return {
    inputTokens: totals.inputTokens + entry.inputTokens,
    outputTokens: totals.outputTokens + entry.outputTokens,
    requests: totals.requests + 1,
    estimated: totals.estimated || entry.estimated,
  };
}
