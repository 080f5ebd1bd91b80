/** What the tools and customers that are code need from the process. */
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import type { DescribeThrown } from "./describe-thrown.ts";

export interface CodeParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** What the log has of an exception besides its place; nothing where absent. */
  readonly words?: DescribeThrown | undefined;
}
