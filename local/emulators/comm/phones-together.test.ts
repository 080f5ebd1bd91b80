import { describe, expect, it } from "vitest";
import type { Ear, Handset, Line } from "../../phone/handset.ts";
import { PhonesTogether } from "./phones-together.ts";

class RecordedEar implements Ear {
  readonly heard: string[] = [];
  onAudio(samples: Int16Array): void {
    this.heard.push(`audio ${samples.join(" ")}`);
  }
  onStopAudio(): void {
    this.heard.push("stop");
  }
  onKeys(keys: string): void {
    this.heard.push(`keys ${keys}`);
  }
  onEnded(why: string): void {
    this.heard.push(`ended: ${why}`);
  }
}

function rig() {
  const caller = new RecordedEar();
  const person = new RecordedEar();
  let line: Line | undefined;
  const handset: Handset = {
    ring: async () => "answered",
    talk(given) {
      line = given;
      return person;
    },
  };
  const together = new PhonesTogether({ callId: "1", sampleRateHz: 16_000, ear: caller, handset });
  if (line === undefined) throw new Error("the phone was given no line");
  return { caller, person, together, line };
}

describe("phones that were put through", () => {
  it("hear each other", () => {
    const { caller, person, together, line } = rig();
    together.speak(Int16Array.of(1));
    together.press("5");
    line.speak(Int16Array.of(2));
    line.press("6");
    expect(person.heard).toEqual(["audio 1", "keys 5"]);
    expect(caller.heard).toEqual(["audio 2", "keys 6"]);
  });

  it("both have ended when the one who took the call hangs up, and once", async () => {
    const { caller, person, together, line } = rig();
    line.hangUp();
    line.hangUp();
    await together.ended;
    together.speak(Int16Array.of(1));
    expect(caller.heard).toEqual(["ended: the other one hung up"]);
    expect(person.heard).toEqual(["ended: the phone hung up"]);
  });
});
