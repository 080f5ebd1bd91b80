import { getAccountBalance } from "./banking/accounts.ts";
import { blockCard } from "./banking/cards.ts";
import { endCall, escalateHuman } from "./service/call-control.ts";
import { createToolRegistry, type ToolRegistry } from "./tool-registry.ts";

export const builtInTools: ToolRegistry = createToolRegistry([getAccountBalance, blockCard, escalateHuman, endCall]);
