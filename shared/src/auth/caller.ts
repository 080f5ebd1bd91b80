/** Who asks, and what that lets them do (ACCESS in docs/security.md). Pure. */
import { BadRequestError } from "../platform/errors.ts";

export interface Caller {
  /** The token's subject. */
  readonly subject: string;
  /** Sees and changes what belongs to everybody. */
  readonly isOperator: boolean;
  readonly mayPlaceCalls: boolean;
  /** A service, which carries the words of many. */
  readonly isService?: true;
}

/** While authentication is off nobody says who they are, and everybody may do everything. */
export const anonymous: Caller = { subject: "anonymous", isOperator: true, mayPlaceCalls: true };

/** A service that has proved itself in its own way; it acts for the calls and conversations that it carries. */
export function serviceCaller(subject: string): Caller {
  return { subject, isOperator: true, mayPlaceCalls: false, isService: true };
}

/**
 * By whom something is counted: a user, or an address while nobody says who they are. Undefined where a service carries
 * the words of many.
 */
export function countedAs(caller: Caller, address: string | undefined): string | undefined {
  if (caller.isService === true) return undefined;
  return caller.subject === anonymous.subject ? `address ${address ?? "unknown"}` : caller.subject;
}

/** Whom something new belongs to. What nobody owns is the operators'. */
export function ownerOf({ subject }: Caller): string | undefined {
  return subject === anonymous.subject ? undefined : subject;
}

export function mayAccess(caller: Caller, owner: string | undefined): boolean {
  return caller.isOperator || (owner !== undefined && owner === caller.subject);
}

export function requireAccess(caller: Caller, owner: string | undefined, what: string): void {
  if (!mayAccess(caller, owner))
    throw roleIsMissing(`This ${what} belongs to somebody else; only operators may do this.`);
}

export function requireOperator(caller: Caller): void {
  if (!caller.isOperator) throw roleIsMissing("Only operators may do this.");
}

/** Names the setting and not its value: what the role is called is for the operators of the service to tell. */
export function roleIsMissing(
  detail: string,
  setting: "OPERATOR_ROLE" | "CALL_ROLE" = "OPERATOR_ROLE",
): BadRequestError {
  return new BadRequestError("forbidden", detail, [
    { field: "roles", message: `The token lacks the app role of ${setting}`, code: "role_missing" },
  ]);
}
