import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../testing/any-character.ts";
import { escapeXml, toSsml } from "./ssml.ts";

const voice = { name: "en-US-AvaMultilingualNeural" };

describe("the SSML", () => {
  it("carries voice, style, rate and pitch", () => {
    expect(
      toSsml({ text: "Hello", voice: { ...voice, style: "chat", rate: "+3%", pitch: "-2%" }, language: "en-US" }),
    ).toContain(
      `<mstts:express-as style="chat"><prosody rate="+3%" pitch="-2%">Hello</prosody></mstts:express-as></voice>`,
    );
  });

  it("has the model of a personal voice speak as the person", () => {
    const personal = { name: "profile-1", personalModel: "DragonLatestNeural" };
    expect(toSsml({ text: "Hello", voice: personal, language: "en-US" })).toContain(
      `<voice name="DragonLatestNeural"><mstts:ttsembedding speakerProfileId="profile-1">Hello</mstts:ttsembedding></voice>`,
    );
  });

  it("[RT-6] gives a personal voice neither style, pitch nor silence", () => {
    const personal = {
      name: "profile-1",
      personalModel: "DragonLatestNeural",
      style: "chat",
      rate: "+3%",
      pitch: "-2%",
    };
    expect(toSsml({ text: "Hello", voice: personal, language: "en-US" })).toContain(
      `<voice name="DragonLatestNeural"><mstts:ttsembedding speakerProfileId="profile-1"><prosody rate="+3%">Hello</prosody></mstts:ttsembedding></voice>`,
    );
  });

  it("leaves out what is not wanted", () => {
    expect(toSsml({ text: "Hello", voice: { ...voice, style: "" }, language: "en-US" })).toContain(
      `<voice name="en-US-AvaMultilingualNeural"><mstts:silence type="Tailing-exact" value="200ms"/>Hello</voice>`,
    );
  });

  it("does not let a caller wait for 800 ms after each clause, where the voice can do without", () => {
    const hd = toSsml({ text: "Hello", voice: { name: "en-US-Ava:DragonHDLatestNeural" }, language: "en-US" });
    expect(hd).toContain('<voice name="en-US-Ava:DragonHDLatestNeural">Hello</voice>');
    expect(toSsml({ text: "Hello", voice, language: "en-US" })).toContain('"Tailing-exact" value="200ms"');
  });

  it.each([
    "en-US-Ava:DragonHDLatestNeural",
    "zh-CN-Yunyi:DragonHDFlashLatestNeural",
    "en-US-AlloyMultilingualNeuralHD",
  ])("[RT-6] has neither style nor prosody for %s, which takes none", (name) => {
    const plain = { name, style: "chat", rate: "+3%", pitch: "-2%" };
    expect(toSsml({ text: "Hello", voice: plain, language: "en-US" })).toContain(`<voice name="${name}">Hello</voice>`);
  });

  it.each(["en-US-Ava:DragonHDOmniLatestNeural", "en-us-Jasper:MAI-Voice-1"])(
    "[RT-6] has only a style for %s",
    (name) => {
      const styled = { name, style: "empathetic", rate: "+3%", pitch: "-2%" };
      expect(toSsml({ text: "Hello", voice: styled, language: "en-US" })).toContain(
        `<voice name="${name}"><mstts:express-as style="empathetic">Hello</mstts:express-as></voice>`,
      );
    },
  );

  it("speaks markup instead of obeying it", () => {
    const ssml = toSsml({
      text: `</voice><audio src="x"/>&amp;`,
      voice: { ...voice, style: `a"><b` },
      language: "en-US",
    });
    expect(ssml).toContain("&lt;/voice&gt;&lt;audio src=&quot;x&quot;/&gt;&amp;amp;");
    expect(ssml).toContain(`style="a&quot;&gt;&lt;b"`);
  });

  it("drops what XML cannot carry", () => {
    expect(escapeXml("a\u0000b\uD800c\u{1F600}")).toBe("a b c\u{1F600}");
  });

  it("never lets a text open or close an element", () => {
    assert(
      property(string({ unit: anyCharacter }), (text) => {
        expect(/[<>"']|&(?!(?:amp|lt|gt|quot|apos);)/.test(escapeXml(text))).toBe(false);
      }),
    );
  });
});
