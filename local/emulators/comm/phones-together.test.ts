import { describe, expect, it } from "vitest";
import type { Ear } from "../../phone/handset.ts";
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
  return { caller, person, together: new PhonesTogether(caller, person) };
}

describe("phones that were put through", () => {
  it("hear each other", () => {
    const { caller, person, together } = rig();
    together.firstSpeaks(Int16Array.of(1));
    together.firstPresses("5");
    together.secondSpeaks(Int16Array.of(2));
    together.secondPresses("6");
    expect(person.heard).toEqual(["audio 1", "keys 5"]);
    expect(caller.heard).toEqual(["audio 2", "keys 6"]);
  });

  it("both have ended when one of them hangs up, and once", async () => {
    const { caller, person, together } = rig();
    together.end("the other one hung up", "the phone hung up");
    together.end("the other one hung up", "the phone hung up");
    await together.ended;
    together.firstSpeaks(Int16Array.of(1));
    expect(caller.heard).toEqual(["ended: the other one hung up"]);
    expect(person.heard).toEqual(["ended: the phone hung up"]);
  });
});
