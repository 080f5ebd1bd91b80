/** Every tool that an agent may list by name, except those of MCP servers and handoffs. */
import {
  getAccountBalance,
  getAccountSummary,
  getRecentTransactions,
  getRoutingNumber,
  refundFee,
} from "./banking/accounts.ts";
import { applyForCard, checkCardEligibility, searchCardProducts } from "./banking/card-products.ts";
import { blockCard, getCardDetails, orderReplacementCard } from "./banking/cards.ts";
import { checkSuspiciousActivity, disputeTransaction, openFraudCase } from "./banking/fraud.ts";
import { estimateWithdrawalTax, getRetirementAccounts, getRolloverOptions } from "./banking/retirement.ts";
import { sendCode, verifyCode } from "./identity/one-time-code.ts";
import { verifyIdentity } from "./identity/verify-identity.ts";
import { addClaimNote, getClaimStatus, reportClaim } from "./insurance/claims.ts";
import { checkCoverage, getPolicyDetails, listPolicies } from "./insurance/policies.ts";
import { getDemandStatus, getLiabilityDecision, requestRush, verifyInsurer } from "./insurance/subrogation.ts";
import { endCall, escalateHuman, holdCall, pressKeys, transferCall } from "./service/call-control.ts";
import { searchKnowledge } from "./service/knowledge.ts";
import { scheduleCallback, submitComplaint } from "./service/requests.ts";
import { createToolRegistry, type ToolRegistry } from "./tool-registry.ts";

export const builtInTools: ToolRegistry = createToolRegistry([
  verifyIdentity,
  sendCode,
  verifyCode,
  getAccountBalance,
  getAccountSummary,
  getRecentTransactions,
  refundFee,
  getRoutingNumber,
  getCardDetails,
  blockCard,
  orderReplacementCard,
  searchCardProducts,
  checkCardEligibility,
  applyForCard,
  checkSuspiciousActivity,
  disputeTransaction,
  openFraudCase,
  getRetirementAccounts,
  getRolloverOptions,
  estimateWithdrawalTax,
  listPolicies,
  getPolicyDetails,
  checkCoverage,
  reportClaim,
  getClaimStatus,
  addClaimNote,
  verifyInsurer,
  getDemandStatus,
  getLiabilityDecision,
  requestRush,
  searchKnowledge,
  scheduleCallback,
  submitComplaint,
  escalateHuman,
  transferCall,
  holdCall,
  pressKeys,
  endCall,
]);
