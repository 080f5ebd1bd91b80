/** The caller of a request and their permissions (ACCESS in docs/security.md). Pure. */
import { BadRequestError } from "../platform/errors.ts";
import { readOwner, writeOwner } from "./tenant.ts";
import { unknownResource, type Resource } from "./unknown-resource.ts";

export interface Caller {
  /** The token's subject. */
  readonly subject: string;
  /** The tenant of this caller; absent if the service has one tenant, and for those who run the whole service. */
  readonly tenant?: string | undefined;
  /** May see and change everybody's resources, within the tenant where there is one. */
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

/** A service that is authenticated by other means than a user's token. It acts for the calls and conversations that it carries. */
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
export function ownerOf({ subject, tenant }: Caller): string | undefined {
  return subject === anonymous.subject ? undefined : writeOwner({ tenant, subject });
}

/** Whether it is another tenant's, of which this caller must not even know that it is there (TENANT-2). */
export function isOtherTenants({ tenant }: Caller, owner: string | undefined): boolean {
  return tenant !== undefined && readOwner(owner).tenant !== tenant;
}

export function mayAccess(caller: Caller, owner: string | undefined): boolean {
  if (isOtherTenants(caller, owner)) return false;
  return caller.isOperator || (owner !== undefined && owner === ownerOf(caller));
}

export function requireAccess(caller: Caller, owner: string | undefined, what: Resource): void {
  if (isOtherTenants(caller, owner)) throw unknownResource(what);
  if (!mayAccess(caller, owner))
    throw roleIsMissing(`This ${what} belongs to somebody else; only operators may do this.`);
}

export function requireOperator(caller: Caller): void {
  if (!caller.isOperator) throw roleIsMissing("Only operators may do this.");
}

/** Runs the whole service, and not only what is one tenant's (TENANT-4). */
export function isServiceOperator({ isOperator, tenant }: Caller): boolean {
  return isOperator && tenant === undefined;
}

export function requireServiceOperator(caller: Caller): void {
  requireOperator(caller);
  if (isServiceOperator(caller)) return;
  throw new BadRequestError("forbidden", "Only operators of the whole service may do this.", [
    { field: "tenant", message: "The token names a tenant, and this concerns them all", code: "tenant_operator" },
  ]);
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
