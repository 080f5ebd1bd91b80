import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { VoiceError } from "../platform/errors.ts";
import { createOutageLog } from "../platform/outage-log.ts";
import { createTokenVerifier, keysOutage } from "./token-verifier.ts";

const rules = { jwksUrl: "https://issuer.test/keys", issuers: ["issuer"], audiences: ["audience"] };

type Key = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: Readonly<Record<string, Key>>;

beforeAll(async () => {
  keys = { old: await generateKeyPair("RS256"), new: await generateKeyPair("RS256") };
});

/** An invented name goes with a key that nobody publishes under it. */
function keyOf(kid: string): Key {
  const key = keys[kid] ?? keys["new"];
  if (key === undefined) throw new Error("there are no keys");
  return key;
}

function signedBy(kid: string): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: "RS256", kid })
    .setIssuer("issuer")
    .setAudience("audience")
    .setExpirationTime("1h")
    .sign(keyOf(kid).privateKey);
}

/** An issuer whose published keys, and whether it answers, can be changed. */
function rig() {
  let nowMs = 0;
  let published: readonly string[] = ["old"];
  let isAway = false;
  let fetches = 0;
  const logged: string[] = [];
  const verifier = createTokenVerifier(
    createOutageLog(
      { info: (_fields, sentence) => logged.push(sentence), warn: (_fields, sentence) => logged.push(sentence) },
      keysOutage,
    ),
    async () => {
      fetches += 1;
      if (isAway) throw new TypeError("fetch failed");
      const set = published.map(async (kid) => ({ ...(await exportJWK(keyOf(kid).publicKey)), kid, alg: "RS256" }));
      return Response.json({ keys: await Promise.all(set) });
    },
    () => nowMs,
  );
  return {
    problem: () => verifier.keysProblem(),
    pass: (ms: number) => void (nowMs += ms),
    publish: (...kids: readonly string[]) => void (published = kids),
    goAway: (away: boolean) => void (isAway = away),
    fetches: () => fetches,
    logged,
    async outcome(token: string | Promise<string>): Promise<string> {
      try {
        await verifier.verify(await token, rules);
        return "accepted";
      } catch (error) {
        if (!(error instanceof VoiceError)) throw error;
        return error.retryAfterMs === undefined ? error.code : `${error.code} after ${error.retryAfterMs} ms`;
      }
    },
  };
}

describe("a token whose key is not among those that were fetched", () => {
  it("[DELIVER-4] is asked to come again while keys were fetched a moment ago, and is accepted then", async () => {
    const { outcome, publish, pass, fetches } = rig();
    expect(await outcome(signedBy("old"))).toBe("accepted");
    pass(1000);
    publish("old", "new");
    const token = await signedBy("new");
    expect(await outcome(token)).toBe("dependency_not_ready after 9000 ms");
    expect(await outcome(token)).toBe("dependency_not_ready after 9000 ms");
    expect(fetches()).toBe(1);
    pass(9000);
    expect(await outcome(token)).toBe("accepted");
    expect(fetches()).toBe(2);
  });

  it("[DELIVER-4] is refused for good once the keys were fetched after it had come", async () => {
    const { outcome, pass, fetches } = rig();
    expect(await outcome(signedBy("old"))).toBe("accepted");
    pass(1000);
    const invented = await signedBy("invented");
    expect(await outcome(invented)).toBe("dependency_not_ready after 9000 ms");
    pass(9000);
    expect(await outcome(invented)).toBe("unauthorized");
    pass(1);
    expect(await outcome(invented)).toBe("unauthorized");
    expect(fetches()).toBe(2);
  });

  it("[DELIVER-4] causes one fetch in ten seconds at most, whatever keys are invented, and keeps nobody else out", async () => {
    const { outcome, pass, fetches } = rig();
    for (let second = 0; second < 60; second += 1) {
      await Promise.all([1, 2, 3].map(async (index) => outcome(signedBy(`invented-${second}-${index}`))));
      expect(await outcome(signedBy("old"))).toBe("accepted");
      pass(1000);
    }
    expect(fetches()).toBe(6);
  });

  it("[DELIVER-4] is refused at once when no keys had been fetched before it came", async () => {
    const { outcome } = rig();
    expect(await outcome(signedBy("invented"))).toBe("unauthorized");
  });
});

describe("keys that cannot be fetched", () => {
  it("[DELIVER-4] are asked for once a second at most, and the tokens are asked to come again", async () => {
    const { outcome, pass, goAway, fetches } = rig();
    goAway(true);
    const token = await signedBy("old");
    expect(await outcome(token)).toBe("dependency_not_ready");
    for (let index = 0; index < 50; index += 1) expect(await outcome(token)).toMatch(/^dependency_not_ready/);
    expect(fetches()).toBe(1);
    pass(1000);
    goAway(false);
    expect(await outcome(token)).toBe("accepted");
  });

  it("[DELIVER-4] make no refusal of an unknown key", async () => {
    const { outcome, pass, goAway } = rig();
    expect(await outcome(signedBy("old"))).toBe("accepted");
    pass(20_000);
    goAway(true);
    expect(await outcome(signedBy("new"))).toBe("dependency_not_ready");
    expect(await outcome(signedBy("old"))).toBe("accepted");
  });
});

describe("[ACCESS-31] keys that cannot be fetched again", () => {
  const minute = 60_000;

  it("are used for twelve hours, without anybody waiting for them, and that is known", async () => {
    const { outcome, pass, goAway, fetches, problem } = rig();
    const token = await signedBy("old");
    expect(await outcome(token)).toBe("accepted");
    goAway(true);
    pass(11 * minute);
    for (let asked = 0; asked < 100; asked += 1) expect(await outcome(token)).toBe("accepted");
    expect(fetches()).toBe(2);
    expect(problem()).toMatchObject({ letsIn: true, text: expect.stringContaining("those that are known are used") });
    pass(11 * 60 * minute);
    expect(await outcome(signedBy("old"))).toBe("accepted");
    goAway(false);
    pass(minute);
    expect(await outcome(signedBy("old"))).toBe("accepted");
    expect(problem()).toBeUndefined();
  });

  it("[ACCESS-31a] are in the log twice: when their outage begins, and when it is over", async () => {
    const { outcome, pass, goAway, logged } = rig();
    expect(await outcome(signedBy("old"))).toBe("accepted");
    goAway(true);
    for (let passed = 0; passed < 10; passed += 1) {
      pass(11 * minute);
      expect(await outcome(signedBy("old"))).toBe("accepted");
    }
    goAway(false);
    pass(minute);
    expect(await outcome(signedBy("old"))).toBe("accepted");
    expect(logged).toEqual([
      "the keys that tokens are verified by cannot be fetched from their issuer",
      "the keys that tokens are verified by are fetched again",
    ]);
  });

  it("let nobody in after that, and no key that was not among them", async () => {
    const { outcome, pass, publish, goAway, problem } = rig();
    expect(await outcome(signedBy("old"))).toBe("accepted");
    publish("new");
    goAway(true);
    pass(11 * minute);
    expect(await outcome(signedBy("new"))).toMatch("dependency_not_ready");
    expect(await outcome(signedBy("old"))).toBe("accepted");
    pass(12 * 60 * minute);
    expect(await outcome(signedBy("old"))).toMatch("dependency_not_ready");
    expect(problem()).toMatchObject({ letsIn: false });
  });
});
