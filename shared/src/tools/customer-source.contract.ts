/** The contract of every source of customers. */
import { describe, expect, it } from "vitest";
import { anonymous } from "../auth/caller.ts";
import type { CustomerSource, FoundCustomer } from "./customer.ts";

export interface OpenCustomers {
  readonly source: CustomerSource;
  /** A customer that the source knows. */
  readonly known: FoundCustomer;
}

export function customerSourceContract(what: string, open: () => Promise<OpenCustomers>): void {
  describe(`customers of ${what}`, () => {
    it("[CUSTOMER-1] are found by the id that the session names, whether a client, a token or an operator named it", async () => {
      const { source, known } = await open();
      const query = { sessionId: "s-1", customerId: known.id };
      expect(await source.find(query)).toEqual(known);
      expect(await source.find({ ...query, sessionId: undefined, namedBy: anonymous })).toEqual(known);
    });

    it("[CUSTOMER-1] are not made up for an id that nobody has", async () => {
      const { source } = await open();
      expect(await source.find({ sessionId: "s-1", customerId: "nobody" })).toBeUndefined();
    });

    it("[CUSTOMER-3] keep what tools change about them, also side by side", async () => {
      const { source, known } = await open();
      const here = { id: known.id, sessionId: "s-1" };
      const changed = await source.update(here, (document) => ({ ...document, note: "called" }));
      expect(changed).toEqual({ ...known.document, note: "called" });
      await Promise.all(
        ["one", "two", "three"].map((key) =>
          source.update({ id: known.id, sessionId: `s-${key}` }, (document) => ({ ...document, [key]: true })),
        ),
      );
      expect((await source.find({ sessionId: "s-2", customerId: known.id }))?.document).toEqual({
        ...changed,
        one: true,
        two: true,
        three: true,
      });
    });
  });
}
