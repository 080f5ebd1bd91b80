/**
 * Whose something is, in one text that every store already keeps: a subject or, where the service has several tenants, the tenant and the
 * subject (TENANT in docs/security.md, decision 065). Pure.
 */

/** What a claim or a row of the table of routes may name. */
export const tenantForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface Whose {
  /** Absent where the service has one tenant. */
  readonly tenant?: string | undefined;
  /** Absent for what belongs to the operators, such as an incoming call. */
  readonly subject?: string | undefined;
}

/** Names a tenant. A subject that begins with it, and has no tenant, is written with an empty one. */
const mark = "@";
const form = /^@([^/]*)\/(.*)$/s;

export function writeOwner({ tenant, subject }: Whose): string | undefined {
  if (tenant !== undefined) return `${tenantOwner(tenant)}${subject ?? ""}`;
  return subject?.startsWith(mark) === true ? `${mark}/${subject}` : subject;
}

export function readOwner(owner: string | undefined): Whose {
  const [, tenant, subject] = form.exec(owner ?? "") ?? [];
  if (tenant === undefined) return { subject: owner };
  return { tenant: tenant === "" ? undefined : tenant, subject: subject === "" ? undefined : subject };
}

/** The owner of what belongs to a tenant's operators; as a list's filter, everything of that tenant. */
export function tenantOwner(tenant: string): string {
  return `${mark}${tenant}/`;
}

/** The lists in which something is found: its owner's, and that of its owner's tenant. */
export function listsOfOwner(owner: string | undefined): readonly string[] {
  if (owner === undefined) return [];
  const { tenant } = readOwner(owner);
  return tenant === undefined ? [owner] : [...new Set([owner, tenantOwner(tenant)])];
}

/** Whether an owner's record belongs in a list that is filtered by `wanted`. A list without a filter has all records. */
export function isInListOf(wanted: string | undefined, owner: string | undefined): boolean {
  return wanted === undefined || listsOfOwner(owner).includes(wanted);
}

/** Whether it is the list of a whole tenant. */
export function isTenantOwner(owner: string): boolean {
  const { tenant, subject } = readOwner(owner);
  return tenant !== undefined && subject === undefined;
}
