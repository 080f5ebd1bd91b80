/** One row of the table of routes: what was called, what it begins with, and when. */
import { useId } from "react";

import type { Document } from "../api/build-api.ts";
import { displayName } from "../display-name.ts";
import { fieldText, fieldValue } from "./agent-fields.ts";
import { isDocument, textOf, valueAt } from "./document-path.ts";
import { FieldNotes } from "./field-notes.tsx";
import { problemsAt } from "./field-problems.ts";
import type { PartProblem } from "./part.ts";
import { channels, closedKindOf } from "./route-table.ts";
import type { ClosedKind } from "./route-table.ts";
import { TextField } from "./text-field.tsx";
import { YamlField } from "./yaml-field.tsx";

interface RouteFieldsProps {
  readonly row: Document;
  /** The path of the row in its document, such as `routes.0`. */
  readonly place: string;
  readonly scenarios: readonly { readonly name: string; readonly agents: readonly string[] }[];
  readonly problem: PartProblem | undefined;
  readonly isNew: boolean;
  /** An empty path: the whole row. */
  readonly onChange: (path: string, value: unknown) => void;
}

const zones = Intl.supportedValuesOf("timeZone");

const closedWords: Readonly<Record<ClosedKind, string>> = {
  "": "Nothing yet",
  say: "Say a sentence and hang up",
  scenario: "Another scenario",
};

export function RouteFields(props: RouteFieldsProps) {
  const { row, place, problem, isNew, onChange } = props;
  const { number: _number, channel, ...rest } = row;
  const line = (path: string) => ({
    path: `${place}.${path}`,
    text: fieldText(row[path]),
    problem,
    onChange: (text: string) => onChange(path, fieldValue("line", text)),
  });
  const hasHours = row["hours"] !== undefined || row["closed"] !== undefined;
  return (
    <div className="fields route-fields">
      <div className="field-row">
        <Choice
          label="What is called"
          place={place}
          value={textOf(channel)}
          options={[["", "Numbers"], ...Object.entries(channels)]}
          problem={undefined}
          isFocused={isNew}
          onPick={(kind) => onChange("", kind === "" ? { number: [], ...rest } : { channel: kind, ...rest })}
        />
        {channel === undefined && (
          <TextField
            {...line("number")}
            label="Numbers, one in a line"
            kind="lines"
            hint="With the country code, such as +12025550100."
            onChange={(text) => onChange("number", fieldValue("lines", text) ?? [])}
          />
        )}
      </div>
      <Beginning {...props} at="" />
      <div className="field-row">
        <TextField {...line("language")} label="Language" kind="line" hint="Such as de-DE." />
        <TextField {...line("time_zone")} label="Time zone" kind="line" suggestions={zones} hint="Of the hours." />
        {channel !== "phone" && channel !== "telephony" && (
          <TextField {...line("tenant")} label="Tenant" kind="line" hint="Only where there are several." />
        )}
      </div>
      <YamlField
        label="Hours"
        path={`${place}.hours`}
        value={row["hours"]}
        hint="Such as mon-fri: [08:00-12:00, 13:00-18:00]. Without hours, somebody answers at all times."
        problem={problem}
        onChange={(hours) => onChange("hours", hours)}
      />
      {hasHours && (
        <>
          <TextField
            {...line("closed_on")}
            label="Days without hours, one in a line"
            kind="lines"
            hint="Such as 2026-12-25."
            onChange={(text) => onChange("closed_on", fieldValue("lines", text))}
          />
          <Choice
            label="Outside of the hours"
            place={`${place}.closed`}
            value={closedKindOf(row)}
            options={Object.entries(closedWords)}
            problem={problem}
            onPick={(kind) => onChange("closed", kind === "" ? undefined : { [kind]: "" })}
          />
        </>
      )}
      {closedKindOf(row) === "say" && (
        <TextField
          {...line("closed.say")}
          label="The sentence"
          kind="text"
          text={fieldText(valueAt(row, "closed.say"))}
          onChange={(text) => onChange("closed.say", text)}
        />
      )}
      {closedKindOf(row) === "scenario" && <Beginning {...props} at="closed." />}
    </div>
  );
}

/** A scenario and who takes the call in it; `at`: within the row. */
function Beginning({ row, place, at, scenarios, problem, onChange }: RouteFieldsProps & { readonly at: string }) {
  const target = at === "" ? row : row["closed"];
  const { scenario, agent } = isDocument(target) ? target : {};
  const chosen = scenarios.find(({ name }) => name === scenario);
  const otherwise = at === "" ? "" : " then";
  return (
    <div className="field-row">
      <Choice
        label={`Scenario${otherwise}`}
        place={`${place}.${at}scenario`}
        value={textOf(scenario)}
        options={[["", "Choose one"], ...named(scenarios.map(({ name }) => name))]}
        problem={problem}
        onPick={(name) => onChange(`${at}scenario`, name)}
      />
      <Choice
        label={`Who takes the call${otherwise}`}
        place={`${place}.${at}agent`}
        value={textOf(agent)}
        options={[["", "The scenario’s first agent"], ...named(chosen?.agents ?? [])]}
        problem={problem}
        onPick={(name) => onChange(`${at}agent`, name === "" ? undefined : name)}
      />
    </div>
  );
}

function named(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [name, displayName(name)]);
}

interface ChoiceProps {
  readonly label: string;
  readonly place: string;
  readonly value: string;
  /** Values, each with what it is called. One that is not among them is shown as it is. */
  readonly options: readonly (readonly [string, string])[];
  readonly problem: PartProblem | undefined;
  readonly isFocused?: boolean;
  readonly onPick: (value: string) => void;
}

function Choice({ label, place, value, options, problem, isFocused, onPick }: ChoiceProps) {
  const id = useId();
  const problems = problemsAt(problem, place, false);
  const isKnown = options.some(([one]) => one === value);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        autoFocus={isFocused}
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => onPick(target.value)}
      >
        {(isKnown ? options : [...options, [value, value] as const]).map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
      <FieldNotes id={`${id}-about`} problems={problems} hint={undefined} />
    </div>
  );
}
