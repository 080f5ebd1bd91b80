import { describe, expect, it } from "vitest";
import { compileFlite } from "./compile-flite.ts";
import { compileProgram } from "./compiled-program.ts";
import { WasiProgram } from "./wasi-program.ts";

const say = (voice: string, text: string): readonly string[] => [
  "flite",
  "-voice",
  voice,
  "-psdur",
  "-t",
  text,
  "-o",
  "/speech.wav",
];
const spelled: readonly string[] = ["flite", "-voice", "kal", "-ps", "-t", "Contoso", "-o", "none"];

describe("a program that runs again and again", () => {
  it("gives what a newly loaded one gives, whatever it was asked before", async () => {
    const flite = await compileFlite();
    const program = new WasiProgram(flite);
    const runs = [
      say(
        "slt",
        "Your balance is four hundred and twelve dollars, and there are three recent transactions that you may want to hear.",
      ),
      spelled,
      say("rms", "Hello."),
      say("awb", ""),
      say("kal16", "Anything else?"),
      spelled,
      say("slt", "Hello."),
    ];
    for (const args of runs) expect(program.run(args)).toEqual(new WasiProgram(flite).run(args));
  });

  it("is loaded anew after a run that did not return", async () => {
    const flite = await compileFlite();
    const program = new WasiProgram(flite);
    const hello = say("slt", "Hello.");
    const first = program.run(hello);
    for (const _ of [1, 2, 3]) expect(program.run(["flite", "--version"]).exitCode).toBe(1);
    expect(program.run(hello)).toEqual(first);
  });

  it("is refused with data of which nobody can say what changes", async () => {
    const nothing = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    await expect(compileProgram(nothing)).rejects.toThrow("is not laid out as Clang's linker does it");
  });
});
