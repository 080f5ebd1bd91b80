/** What makes a conversation feel right, the same for every composition: a line that drops, keys, silence. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "./composition.ts";
import type { ComposedService, Composition } from "./composition.ts";

const idleMs = 3000;

export function describeTurnTaking(composition: Composition): void {
  describe(`turn-taking ${composition.name}`, () => {
    let service: ComposedService;

    beforeAll(async () => {
      service = await compose(composition, {
        idleMs,
        environment: { AGENT_SCENARIO: "banking", VAD_TIMEOUT_MS: "10000" },
      });
    });
    afterAll(() => service.close());

    describe.concurrent("side by side", () => {
      it("[HS-4] goes on after the line dropped, with the same agent, history and what was asked", async () => {
        const first = await service.call();
        await first.waitForReply();
        await first.speak(await service.line("I lost my card"));
        const handedOver = await first.waitForReply();
        expect(handedOver.handoffs).toHaveLength(1);
        const { session_id: id } = first.session;
        first.close();
        using second = await service.call({ session_id: id });
        expect(second.session).toMatchObject({ resumed: true, agent: handedOver.handoffs[0]?.to, session_id: id });
        await second.waitForReply();
        await second.speak(await service.line("my credit card"));
        const reply = await second.waitForReply();
        expect(reply.heardText).toContain("credit");
        const history = await service.state.sessions.history(id);
        expect(history.filter(({ role }) => role === "user").map(({ content }) => content)).toHaveLength(2);
      });

      it("[TURN-9a] takes the keys that an agent asks for", async () => {
        using caller = await service.call();
        await caller.waitForReply();
        await caller.speak(await service.line("send me a code"));
        const asked = await caller.waitForReply();
        const code = /"demo_code":"(\d{6})"/.exec(JSON.stringify(asked.toolCalls))?.[1];
        if (code === undefined) throw new Error(`no code was sent: ${JSON.stringify(asked)}`);
        caller.press(`${code}#`);
        const checked = await caller.waitForReply();
        expect(checked.toolCalls).toMatchObject([{ name: "verify_code", args: { code }, status: "success" }]);
        expect(checked.says.at(-1)?.text).toContain("That is right");
      });

      it("[IDLE-1] [IDLE-2] asks twice whether anybody is there, says goodbye and hangs up", async () => {
        using caller = await service.call();
        const end = await caller.waitForReply({ quietMs: idleMs + 3000, timeoutMs: 30_000 });
        expect(end.ended).toBe("caller_silent");
        expect(end.says.map(({ text }) => text).slice(1)).toEqual([
          expect.stringMatching(/still there|did not hear/),
          expect.stringMatching(/still there|did not hear/),
          "Goodbye.",
        ]);
      });
    });
  });
}
