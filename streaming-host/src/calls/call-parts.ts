/** What call control works with: the host, whose state has the calls' records, and six parts of its own. */
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import type { Host } from "../host/host.ts";
import type { Announcer } from "./announce/announcer.ts";
import type { LanguageOfCall } from "./announce/call-language.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { ReportWatch } from "./report-watch.ts";
import type { HolderInquiry } from "./stream/holder-inquiry.ts";

export interface CallParts {
  readonly host: Host;
  /** Writes to the records. */
  readonly ledger: CallLedger;
  /** The communication service. */
  readonly automation: CallAutomation;
  /** Says something on a call without an agent. */
  readonly announcer: Announcer;
  readonly languageOf: LanguageOfCall;
  /** Whether the service's reports reach us. */
  readonly reports: ReportWatch;
  /** Whether the host that has a stream lives. */
  readonly holders: HolderInquiry;
}
