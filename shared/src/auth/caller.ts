/** The caller of a request and their permissions (ACCESS in docs/security.md). Pure. */
import { BadRequestError } from "../platform/errors.ts";

export interface Caller {
  /** The token's subject. */
  readonly subject: string;
  /** May see and change everybody's resources. */
  readonly isOperator: boolean;
  readonly mayPlaceCalls: boolean;
  /** May create agents and scenarios for sessions. */
  readonly mayMakeAgents: boolean;
  /** May publish agents and scenarios for everybody; absent: as an operator. */
  readonly mayPublish?: boolean | undefined;
  /** When the token expires; absent for a service, and while authentication is off. */
  readonly tokenExpiresAtMs?: number | undefined;
  /** Another service, which acts for many people. */
  readonly isService?: true;
}

/** The caller while authentication is off: anonymous, and allowed to do everything. */
export const anonymous: Caller = { subject: "anonymous", isOperator: true, mayPlaceCalls: true, mayMakeAgents: true };

/** A service that was authenticated in its own way; it acts for the calls and conversations that it carries. */
export function serviceCaller(subject: string): Caller {
  return { subject, isOperator: true, mayPlaceCalls: false, mayMakeAgents: false, isService: true };
}

/**
 * The key by which quotas are counted: the user, or the address while authentication is off. Undefined for a service,
 * which acts for many people.
 */
export function countedAs(caller: Caller, address: string | undefined): string | undefined {
  if (caller.isService === true) return undefined;
  return caller.subject === anonymous.subject ? `address ${address ?? "unknown"}` : caller.subject;
}

/** The owner of a new resource. Resources without an owner belong to the operators. */
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

/** Names the setting and not its value, because the role's name is for the operators to disclose. */
export function roleIsMissing(
  detail: string,
  setting: "OPERATOR_ROLE" | "CALL_ROLE" | "AGENT_ROLE" | "PUBLISH_ROLE" = "OPERATOR_ROLE",
): BadRequestError {
  return new BadRequestError("forbidden", detail, [
    { field: "roles", message: `The token lacks the app role of ${setting}`, code: "role_missing" },
  ]);
}
