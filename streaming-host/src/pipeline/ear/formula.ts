/** Finds formulae in LaTeX and writes them as a voice can say them: "\frac{3}{4}" as "3/4". Pure. */

interface Formula {
  readonly text: string;
  readonly length: number;
}

const longest = 400;
const displayed =
  /^(?:\$\$([\s\S]{1,400}?)\$\$|\\\[([\s\S]{1,400}?)\\\]|\\\(([\s\S]{1,400}?)\\\)|\\begin\{(\w+\*?)\}([\s\S]{1,400}?)\\end\{\4\})/;
const beginningOfDisplayed =
  /^(?:\$|\$\$[\s\S]{0,400}|\\|\\[[(][\s\S]{0,400}|\\b(?:e(?:g(?:i(?:n(?:\{[\s\S]{0,400})?)?)?)?)?)$/;
/** A formula between single dollar signs. Two adjacent words are none. */
const inline = /^\$([^\s$][^$\n]{0,200}?)\$/;
const words = /[A-Za-z]{3,}\s+[A-Za-z]{2,}/;
/** "$5 and more" is an amount, unless what follows the number can only belong to a formula. */
const amount = /^\$\d(?![\d.,]*\s?[\\^_{=$])/;
const beginningOfAmount = /^\$\d[\d.,]*\s?$/;
const command = /^\\([a-zA-Z]+)((?:\{[^{}\n]{0,80}\}){0,2})/;
const beginningOfCommand = /^\\[a-zA-Z]+(?:\{[^{}\n]{0,80}\})?(?:\{[^{}\n]{0,80})?$/;

/** The formula at the beginning of the text. "unfinished": it depends on what follows, unless the text `isWhole`. */
export function formulaAt(text: string, isWhole: boolean): Formula | "unfinished" | undefined {
  const found = displayed.exec(text);
  if (found !== null) return { text: found[1] ?? found[2] ?? found[3] ?? found[5] ?? "", length: found[0].length };
  if (beginningOfDisplayed.test(text) && text.length < longest) return "unfinished";
  if (text.startsWith("\\")) {
    if (!isWhole && beginningOfCommand.test(text) && text.length < longest) return "unfinished";
    const [all = "", name = "", braces = ""] = command.exec(text) ?? [];
    return braces !== "" || Object.hasOwn(symbols, name) ? { text: all, length: all.length } : undefined;
  }
  if (!text.startsWith("$") || /^\$\s/.test(text)) return undefined;
  if (amount.test(text)) return beginningOfAmount.test(text) && text.length <= 40 ? "unfinished" : undefined;
  const closed = inline.exec(text);
  const content = closed?.[1] ?? text.slice(1);
  if (words.test(content.replaceAll(/\\[a-z]+\{[^{}]*\}?/g, ""))) return undefined;
  if (closed !== null) return { text: content, length: closed[0].length };
  return /^[^$\n]{0,200}$/.test(content) ? "unfinished" : undefined;
}

const symbols: Readonly<Record<string, string>> = {
  times: "×",
  cdot: "×",
  div: "÷",
  pm: "±",
  le: "≤",
  leq: "≤",
  ge: "≥",
  geq: "≥",
  ne: "≠",
  neq: "≠",
  approx: "≈",
  infty: "∞",
  degree: "°",
  circ: "°",
  percent: "%",
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  Delta: "Δ",
  lambda: "λ",
  mu: "μ",
  pi: "π",
  sigma: "σ",
  theta: "θ",
  Omega: "Ω",
  omega: "ω",
  sum: "Σ",
  euro: "€",
  pounds: "£",
};
const raised: Readonly<Record<string, string>> = {
  0: "⁰",
  1: "¹",
  2: "²",
  3: "³",
  4: "⁴",
  5: "⁵",
  6: "⁶",
  7: "⁷",
  8: "⁸",
  9: "⁹",
  "-": "⁻",
  n: "ⁿ",
};

/** Replaces commands, which voices would spell, with signs that they can read. */
export function plainFormula(formula: string): string {
  return formula
    .replaceAll(/\\(?:text|mathrm|mathbf|mathit|textbf|textit|operatorname|boxed|mbox)\s*\{([^{}]*)\}/g, "$1")
    .replaceAll(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "$1/$2")
    .replaceAll(/\\sqrt\s*\{([^{}]*)\}/g, "√$1")
    .replaceAll(/\^\{?(-?[\dn]{1,4})\}?/g, (_all, power: string) =>
      Array.from(power, (digit) => raised[digit] ?? digit).join(""),
    )
    .replaceAll(/\\([a-zA-Z]+)/g, (_all, name: string) => symbols[name] ?? " ")
    .replaceAll(/\\([%$€&#_])/g, "$1")
    .replaceAll(/[\\{}^_&]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
