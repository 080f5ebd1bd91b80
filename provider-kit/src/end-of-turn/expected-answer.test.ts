import { describe, expect, it } from "vitest";
import { packOf } from "@voice/shared/languages/packs";
import { expectedAnswer, mayAskForOneWord } from "./expected-answer.ts";

describe("what an agent's words ask for", () => {
  it.each([
    ["Your balance is ten dollars. Is there anything else?", { kind: "yes-or-no" }],
    ["Shall I do that?", { kind: "yes-or-no" }],
    ["What can I do for you?", { kind: "anything" }],
    ["Great. How many guests are you?", { kind: "quantity" }],
    ["Can you tell me what time would suit you?", { kind: "quantity" }],
    ["What is your room number?", { kind: "anything" }],
    ["Please tell me the last four digits of your social security number.", { kind: "digits", length: 4 }],
    ["Please read me the 6 digits.", { kind: "digits", length: 6 }],
    ["What is your account number?", { kind: "digits", length: undefined }],
    ["I have sent a code to the phone ending in one two.", { kind: "nothing" }],
    ["Thank you. You are verified.", { kind: "nothing" }],
    ["", { kind: "nothing" }],
    ["Is that right? 😊", { kind: "yes-or-no" }],
    ['Did you say "savings"?', { kind: "yes-or-no" }],
    ["Is that right? Please say yes or no.", { kind: "yes-or-no" }],
    ["That is two guests on Friday. Please answer yes or no.", { kind: "yes-or-no" }],
    ["Shall I book it, yes or no?", { kind: "yes-or-no" }],
    ["Do you want to pay it now or not?", { kind: "yes-or-no" }],
    ["You would like a table for two, right?", { kind: "yes-or-no" }],
    ["It is the blue card, isn’t it?", { kind: "yes-or-no" }],
    ["Don't you have the card with you?", { kind: "yes-or-no" }],
    ["Great, shall I do that?", { kind: "yes-or-no" }],
    ["How many guests are you? Please tell me the number.", { kind: "quantity" }],
    ["Is there anything else? I am here to help.", { kind: "nothing" }],
    ["Okay, what is it about?", { kind: "anything" }],
    ["Is that right, Anna?", { kind: "yes-or-no" }],
  ])("%j", (text, expected) => {
    expect(expectedAnswer(text, packOf("en"))).toEqual(expected);
  });

  it("has the words of a choice", () => {
    const expected = expectedAnswer("Sure. Checking or savings?", packOf("en"));
    expect(expected).toEqual({ kind: "choice", words: new Set(["checking", "or", "savings"]) });
  });
});

describe("[LANG-3] what an agent's words ask for in other languages", () => {
  it.each([
    ["de", "Möchten Sie, dass ich das tue?", { kind: "yes-or-no" }],
    ["de", "Gut. Kann ich sonst noch etwas für Sie tun?", { kind: "yes-or-no" }],
    ["de", "Was kann ich für Sie tun?", { kind: "anything" }],
    ["de", "In Ordnung, was kann ich für Sie tun?", { kind: "anything" }],
    ["de", "Stimmt das? Bitte antworten Sie mit Ja oder Nein.", { kind: "yes-or-no" }],
    ["de", "Es geht um die blaue Karte, oder?", { kind: "yes-or-no" }],
    ["de", "Sie möchten einen Tisch für zwei, nicht wahr?", { kind: "yes-or-no" }],
    ["fr", "C'est correct ? Répondez par oui ou non.", { kind: "yes-or-no" }],
    ["fr", "Vous souhaitez payer, n’est-ce pas ?", { kind: "yes-or-no" }],
    ["es", "¿Es correcto? Responda sí o no, por favor.", { kind: "yes-or-no" }],
    ["es", "Su cita es el lunes, ¿verdad?", { kind: "yes-or-no" }],
    ["es", "De acuerdo, ¿qué necesita?", { kind: "anything" }],
    ["es", "Gracias. Señora, ¿desea continuar?", { kind: "yes-or-no" }],
    ["de", "Für wie viele Personen?", { kind: "quantity" }],
    ["fr", "Vous êtes combien ?", { kind: "quantity" }],
    ["es", "¿Cuántas personas son?", { kind: "quantity" }],
    ["de", "Bitte nennen Sie mir die letzten vier Ziffern Ihrer Kundennummer.", { kind: "digits", length: 4 }],
    ["de", "Wie lautet Ihr sechsstelliger Code?", { kind: "digits", length: 6 }],
    ["de", "Ihre Kundennummer habe ich notiert.", { kind: "nothing" }],
    ["fr", "Voulez-vous que je continue ?", { kind: "yes-or-no" }],
    ["fr", "Que puis-je faire pour vous ?", { kind: "anything" }],
    ["fr", "Veuillez me donner les quatre derniers chiffres.", { kind: "digits", length: 4 }],
    ["es", "¿Desea que continúe?", { kind: "yes-or-no" }],
    ["es", "¿En qué puedo ayudarle?", { kind: "anything" }],
    ["es", "Dígame los cuatro últimos dígitos, por favor.", { kind: "digits", length: 4 }],
  ])("%s %j", (language, text, expected) => {
    expect(expectedAnswer(text, packOf(language))).toEqual(expected);
  });

  it.each([
    ["zh-CN", "好的。您想查询余额吗？"],
    ["ja-JP", "ありがとうございます。よろしいですか？"],
    ["ar-SA", "هل تريد رصيدك؟"],
    ["el-GR", "Θέλετε το υπόλοιπό σας\u037e"],
    ["pt-BR", "Quer saber o seu saldo?"],
  ])("%s %j is a question, whatever its mark looks like", (language, text) => {
    expect(expectedAnswer(text, packOf(language))).toEqual({ kind: "anything" });
    expect(expectedAnswer(`${text} 好。`, packOf(language))).toEqual({ kind: "nothing" });
  });

  it("has the words of a choice", () => {
    const { kind } = expectedAnswer("Girokonto oder Sparkonto?", packOf("de"));
    expect(kind).toBe("choice");
  });
});

describe("whether a word that sounds like a greeting may be the answer", () => {
  it.each([
    ["en", "Thank you for calling. How can I help you?", false],
    ["en", "Are you calling about a policy or a claim?", false],
    ["en", "Hello. How many guests are you?", true],
    ["en", "Hello. What is your table number?", true],
    ["en", "For sales say one, for support say two.", true],
    ["en", "Am I speaking with Anna?", true],
    ["en", "Please tell me your PIN.", true],
    ["de", "Guten Tag. Was kann ich für Sie tun?", false],
    ["de", "Guten Tag. Für wie viele Personen?", true],
    ["fr", "Bonjour. Que puis-je faire pour vous ?", false],
    ["fr", "Bonjour. Vous êtes combien ?", true],
    ["es", "Buenos días. ¿En qué puedo ayudarle?", false],
    ["es", "Buenos días. ¿Cuántas personas son?", true],
  ])("%s %j: %j", (language, text, isAsked) => {
    expect(mayAskForOneWord(text, packOf(language))).toBe(isAsked);
  });
});
