/** The report as one page that needs nothing else: figures first, then each session, those that failed open. Pure. */
import { describeCost } from "@voice/shared/costs/describe-usage";
import type { Comparison } from "./baseline.ts";
import type { SimulatedSession } from "./simulate-session.ts";
import { resultOf } from "./summarise-run.ts";
import type { RunSummary, SessionResult } from "./summarise-run.ts";
import type { Tally } from "./statistics.ts";
import { isMisheard } from "./transcript-line.ts";
import type { TranscriptLine } from "./transcript-line.ts";

export interface Report {
  readonly scenario: string;
  readonly madeAt: string;
  /** Whether the callers spoke. */
  readonly voice: boolean;
  readonly models: { readonly agents: string; readonly caller: string; readonly judge: string };
  readonly summary: RunSummary;
  /** Undefined without a baseline. */
  readonly comparisons: readonly Comparison[] | undefined;
  readonly sessions: readonly SimulatedSession[];
}

export function reportHtml(report: Report): string {
  const { scenario, madeAt, voice, models, summary, comparisons, sessions } = report;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated callers: ${escaped(scenario)}</title><style>${style}</style></head><body><main>
<h1>Simulated callers of ${escaped(scenario)}</h1>
<p class="hint">${escaped(madeAt)} · ${voice ? "spoken" : "typed"} · agents ${escaped(models.agents)} · callers ${escaped(models.caller)} · judge ${escaped(models.judge)}</p>
<dl class="figures">${figures(summary)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`)
    .join("")}</dl>
${comparisons === undefined ? "" : comparisonTable(comparisons)}
<div class="tables">${tallyTable("Criteria", summary.criteria)}${tallyTable("Personas", summary.byPersona)}${tallyTable("Goals", summary.byGoal)}</div>
<h2>Sessions</h2>
${sessions
  .toSorted((left, right) => rank(left) - rank(right) || left.number - right.number)
  .map(sessionHtml)
  .join("\n")}
</main></body></html>
`;
}

function figures(summary: RunSummary): readonly (readonly [string, string])[] {
  const { cost, costPerSession, firstWordMs, firstSoundMs, passPowers } = summary;
  const latency = (of: typeof firstWordMs) => (of === null ? "–" : `${of.p50} ms, 95 %: ${of.p95} ms`);
  const money = cost && `${cost.amount.toFixed(4)} ${cost.currency}${cost.is_complete ? "" : " and more"}`;
  return [
    ["Sessions", String(summary.sessions)],
    ["Failed", String(summary.failed)],
    ["Could not be held", String(summary.notHeld)],
    ["Could not be judged", String(summary.notJudged)],
    ...passPowers.map((power, index) => [`pass^${index + 1}`, percent(power)] as const),
    ["Cost", money ?? "no price"],
    [
      "Cost per session",
      costPerSession === null || cost === null ? "no price" : `${costPerSession.toFixed(4)} ${cost.currency}`,
    ],
    ["Model's first word", latency(firstWordMs)],
    ...(firstSoundMs === null ? [] : [["Caller's last sound to the answer's first", latency(firstSoundMs)] as const]),
  ];
}

function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(
    ({ criterion, before, now, probability, hasFallen }) =>
      `<tr class="${hasFallen ? "failed" : ""}"><td>${escaped(criterion)}</td><td>${percent(before)}</td><td>${percent(now)}</td><td>${probability.toPrecision(2)}</td><td>${hasFallen ? "fell" : "no fall that chance does not explain"}</td></tr>`,
  );
  return `<section><h2>Against the baseline</h2><table><thead><tr><th>Criterion</th><th>Before</th><th>Now</th><th>By chance</th><th></th></tr></thead><tbody>${rows.join("")}</tbody></table></section>`;
}

function tallyTable(title: string, tallies: Readonly<Record<string, Tally>>): string {
  const rows = Object.entries(tallies).map(
    ([name, { passed, total }]) =>
      `<tr><td>${escaped(name)}</td><td>${passed} of ${total}</td><td><meter min="0" max="${total}" value="${passed}">${percent(passed / total)}</meter></td></tr>`,
  );
  return `<section><h2>${title}</h2><table><tbody>${rows.join("")}</tbody></table></section>`;
}

const headings: Readonly<Record<SessionResult, string>> = {
  passed: "Passed",
  failed: "Failed",
  "not-held": "Could not be held",
  "not-judged": "Could not be judged",
};

const order: readonly SessionResult[] = ["failed", "not-held", "not-judged", "passed"];

function rank(session: SimulatedSession): number {
  return order.indexOf(resultOf(session));
}

function sessionHtml(session: SimulatedSession): string {
  const { number, persona, goal, failedChecks, verdicts, noVerdict, error, transcript, usage } = session;
  const result = resultOf(session);
  const passed = result === "passed";
  const cost = describeCost(usage);
  const findings = [
    ...(error === undefined ? [] : [finding(false, "could not be held", error)]),
    ...failedChecks.map((check) => finding(false, "check", check)),
    ...Object.entries(verdicts ?? {}).map(([name, verdict]) => finding(verdict.passed, name, verdict.reason)),
    ...(noVerdict === undefined ? [] : [finding(false, "no verdict", noVerdict)]),
  ];
  return `<details class="session ${result}"${passed ? "" : " open"}>
<summary>${headings[result]}: ${escaped(goal.name)}, ${escaped(persona.name)} <span class="hint">#${number + 1}${cost === null ? "" : ` · ${cost.amount.toFixed(4)} ${cost.currency}`}</span></summary>
<ul class="findings">${findings.join("")}</ul>
<ol class="transcript">${transcript.map(lineHtml).join("")}</ol></details>`;
}

function finding(passed: boolean, name: string, text: string): string {
  return `<li class="${passed ? "passed" : "failed"}"><strong>${passed ? "✓" : "✗"} ${escaped(name)}</strong> ${escaped(text)}</li>`;
}

function lineHtml(line: TranscriptLine): string {
  if (line.kind === "tool")
    return `<li class="tool"><code>${escaped(line.name)}(${escaped(JSON.stringify(line.args))})</code> → <code>${escaped(JSON.stringify(line.result))}</code></li>`;
  if (line.kind === "caller") return callerHtml(line);
  const latency = line.latencyMs === undefined ? "" : ` · ${line.latencyMs} ms`;
  return `<li class="agent"><span class="hint">${escaped(line.agent)}${latency}</span> ${escaped(line.text)}</li>`;
}

/** What was recognised stands beside what was said, where it differs. */
function callerHtml(line: Extract<TranscriptLine, { readonly kind: "caller" }>): string {
  const heard = line.heard === "" ? "nothing" : `“${line.heard ?? ""}”`;
  const recognised = isMisheard(line) ? ` <span class="misheard">recognised: ${escaped(heard)}</span>` : "";
  const how = line.heard === undefined ? "caller" : `caller, spoken${recognised === "" ? ", recognised as said" : ""}`;
  return `<li class="caller"><span class="hint">${how}</span> ${escaped(line.text)}${recognised}</li>`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; } main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
.hint { opacity: .75; font-size: .875rem; } h2 { font-size: 1.1rem; margin: 1.25rem 0 .5rem; }
.figures, .tables { display: flex; flex-wrap: wrap; gap: .75rem; } .figures > div, section, .session { border: 1px solid #8886; border-radius: .5rem; padding: .5rem .75rem; }
.figures dt { font-size: .875rem; opacity: .75; } .figures dd { margin: 0; font-weight: 600; }
.tables section { flex: 1 1 15rem; } section h2 { margin-top: 0; } section { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .15rem .75rem .15rem 0; } tr.failed td { font-weight: 700; }
.session { margin: .5rem 0; border-left-width: .4rem; } .session.failed { border-left-color: #c22; } .session.passed { border-left-color: #1a7f4b; }
summary { cursor: pointer; font-weight: 600; } .findings { list-style: none; padding: 0; } .transcript { list-style: none; padding: 0; }
.transcript li { padding: .15rem 0 .15rem .75rem; overflow-wrap: anywhere; } .transcript .caller { border-left: 3px solid #0a6b5a; } .transcript .agent { border-left: 3px solid #8888; } .transcript .tool { font-size: .875rem; opacity: .85; }
.transcript .hint { display: block; } .misheard { display: block; color: #c22; }
`;
