import { expect, describe, it } from "vitest";
import { tenantOwner, writeOwner } from "../../auth/tenant.ts";
import { newCall } from "./call-store.contract.ts";
import { opened, type OpenState } from "./harness.contract.ts";
import { newSession } from "./session-store.contract.ts";

export function describeTenants(open: OpenState): void {
  describe("several tenants", () => {
    it("[TENANT-3] lists the sessions of a whole tenant, and of one of its users", async () => {
      const { state, nowMs } = await opened(open);
      const acme = tenantOwner("acme");
      const ofAlice = writeOwner({ tenant: "acme", subject: "alice" });
      const owners = [ofAlice, acme, writeOwner({ tenant: "acme2", subject: "alice" }), "alice"];
      for (const [index, owner] of owners.entries())
        await state.sessions.create({ ...newSession(`s-${index}`, nowMs()), owner });
      const idsOf = async (owner: string | undefined) =>
        (await state.sessions.list({ offset: 0, limit: 9, owner })).sessions
          .map(({ sessionId }) => sessionId)
          .toSorted();
      expect(await idsOf(acme)).toEqual(["s-0", "s-1"]);
      expect(await idsOf(ofAlice)).toEqual(["s-0"]);
      expect(await idsOf("alice")).toEqual(["s-3"]);
      await state.sessions.delete("s-0");
      expect(await idsOf(acme)).toEqual(["s-1"]);
    });

    it("[TENANT-3] lists the calls of a whole tenant, and of one of its users", async () => {
      const { state, nowMs } = await opened(open);
      const acme = tenantOwner("acme");
      const ofAlice = writeOwner({ tenant: "acme", subject: "alice" });
      for (const [index, owner] of [
        ofAlice,
        acme,
        writeOwner({ tenant: "acme2", subject: "alice" }),
        "alice",
      ].entries())
        await state.calls.create({ ...newCall(`c-${index}`, nowMs() + index), owner });
      const idsOf = async (owner: string | undefined) =>
        (await state.calls.list({ offset: 0, limit: 9, owner })).calls.map(({ call }) => call.callId);
      expect(await idsOf(acme)).toEqual(["c-1", "c-0"]);
      expect(await idsOf(ofAlice)).toEqual(["c-0"]);
      expect(await idsOf("alice")).toEqual(["c-3"]);
    });
  });
}
