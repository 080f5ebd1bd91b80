import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutAnnotations } from "./without-annotations.ts";

describe("a transcript", () => {
  it.each([
    "[BLANK_AUDIO]", "[Music]", " [ Silence ]", "(upbeat music)", "(speaking in foreign language)", "*laughs*", "_sighs_", "**coughs**",
    "♪ ♪", "♪ Hello from the other side ♪", "🎵 la la", "<|nospeech|>", "<|en|><|NEUTRAL|><|Speech|><|woitn|>", ">> ", "- ", "[[BLANK_AUDIO]]",
    "[MUSIC PLAYING] (applause)", "（音楽）", "【拍手】", "［無音］", "{noise}", "<noise>", "[00:00:00.000 --> 00:00:02.000]", "WEBVTT\n\n",
    "1\n00:00:00,000 --> 00:00:02,000\n[Musik]", "(gentle music) (gentle music) (gentle music).", "[Music", "🎼😊", "[موسيقى]", "(Ton läuft) ...", "[SPEAKER_00]:", "...(silence)...",
  ])("[SPEECH-9] has no words where it is nothing but a remark: %s", (text) => {
    expect(withoutAnnotations(text)).not.toMatch(/[\p{L}\p{N}]/u);
  }); // prettier-ignore

  it.each([
    ["[Music] I want to check my balance.", "I want to check my balance."],
    ["I want to check my balance. (dog barking)", "I want to check my balance."],
    ["I want (coughs) to check my balance.", "I want to check my balance."],
    ["I want to [inaudible] my card.", "I want to my card."],
    ["the text I actually said (gentle music) (gentle music)", "the text I actually said"],
    [">> Yes, please. >> And the other one?", "Yes, please. And the other one?"],
    ["- Yes.\n- No.", "Yes. No."],
    ["SPEAKER_01: Yes, please.", "Yes, please."],
    ["[Speaker 1]: Yes, please.", "Yes, please."],
    ["[00:00:00.000 --> 00:00:01.500]   My card is gone.", "My card is gone."],
    ["1\n00:00:00,406 --> 00:00:01,138\nHello\n\n2\n00:00:01,200 --> 00:00:02,000\nworld.\n", "Hello world."],
    ["WEBVTT\n\n00:00.406 --> 00:01.138\nHello world!\n", "Hello world!"],
    ["<|en|>Hello.<|endoftext|>", "Hello."],
    ["🎼Hello there.😊", "Hello there."],
    ["（咳）余额是多少？", "余额是多少？"],
    ["*sighs* Fine.", "Fine."],
    ["♪ Yes. ♪ My card is gone.", "My card is gone."],
    ["Yes [BLANK_AU", "Yes"],
  ])("[SPEECH-9] keeps the words around a remark: %s", (text, words) => {
    expect(withoutAnnotations(text)).toBe(words);
  });

  it.each([
    "I want to check my balance.", "Yes.", "It costs 5 * 3 dollars", "It is -5 degrees.", "snake_case and 2 < 3 > 1", "What the **** is this?", "f*** off",
    "「はい」", "« Bonjour »", "At 3:30, please.", "from 10:00 to 11:00", "well-known – and liked", "Speaker wire, please.", "I'm fine, thanks!", "...and then?",
  ])("[SPEECH-9] is what the caller said where there is no remark in it: %s", (text) => {
    expect(withoutAnnotations(text)).toBe(text);
  }); // prettier-ignore

  it.each([
    ["Call me at (555) 123-4567.", "Call me at 555 123-4567."],
    ["my account(s) please", "my accounts please"],
    ["The card (the blue one of my wife) is gone.", "The card the blue one of my wife is gone."],
  ])("[SPEECH-9] keeps what belongs to a word or a sentence: %s", (text, words) => {
    expect(withoutAnnotations(text)).toBe(words);
  });

  it("is the same when it is read again, and takes no time however it is bracketed", () => {
    const marks = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "*",
      "_",
      "♪",
      "<|",
      "|>",
      ">>",
      "a",
      " ",
      "1",
      ":",
      "-->",
      "00:01",
      "\n",
      "【",
      "-",
      ".",
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 40 }), (pieces) => {
        const once = withoutAnnotations(pieces.join(""));
        expect(withoutAnnotations(once).length).toBeLessThanOrEqual(once.length);
      }),
    );
    const started = performance.now();
    for (const mark of ["[", "(a ", "*a ", "♪ ", "<|", "00:01 -", ">> ", "_", " ", "- "])
      withoutAnnotations(mark.repeat(5_000));
    // A few milliseconds, or minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
