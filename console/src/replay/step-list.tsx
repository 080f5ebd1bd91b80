import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";

import { timeOf } from "@voice/streaming-host/session/flight/describe-step";

import { nextDifference, nextFailure } from "./replay-session.ts";
import type { OpenedRecord } from "./replay-session.ts";
import { failedAt } from "./failed-steps.ts";
import { eventInWords, gistOf } from "./describe-event.ts";

/** More than this at once makes the page slow, and a long conversation has thousands. */
const shownSteps = 200;

interface StepListProps {
  readonly opened: OpenedRecord;
  readonly onSelect: (index: number) => void;
}

/** One control for the keyboard: arrows, Page, Home and End; `d` goes to the next difference, `f` to the next failure. */
export function StepList({ opened, onSelect }: StepListProps) {
  const { steps, selected } = opened;
  const first = Math.floor(selected / shownSteps) * shownSteps;
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Some browsers return a value, which React would take for a clean-up function.
    current.current?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The link or the file's button that has led here is gone, so the keys that the list explains work at once.
    if (document.activeElement?.contains(list.current)) list.current?.focus({ preventScroll: true });
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, opened);
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onSelect(target);
  };
  return (
    <section className="panel step-list" aria-label="Steps">
      <p className="hint">
        {steps.length > shownSteps &&
          `${first + 1} to ${Math.min(first + shownSteps, steps.length)} of ${steps.length}. `}
        Arrow keys step, <kbd>d</kbd> goes to the next difference, <kbd>f</kbd> to the next failure.
      </p>
      <ol
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label="Steps"
        aria-activedescendant={`step-${selected}`}
        onKeyDown={onKeyDown}
      >
        {steps.slice(first, first + shownSteps).map((step, offset) => {
          const index = first + offset;
          return (
            <li
              key={index}
              id={`step-${index}`}
              ref={index === selected ? current : undefined}
              role="option"
              aria-selected={index === selected}
              data-difference={step.isSame ? undefined : step.followsDifference ? "follows" : "first"}
              onClick={() => onSelect(index)}
            >
              <time>{timeOf(step.wallMs)}</time>
              <span>
                {eventInWords(step.event)} <span className="hint">{gistOf(step.event)}</span>
                {failedAt(step) && <span className="tag tag-failed">failed</span>}
                {!step.isSame && <span className="tag">{step.followsDifference ? "follows" : "different now"}</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const pageSteps = 10;

function targetOf(key: string, opened: OpenedRecord): number | undefined {
  const { selected, steps } = opened;
  switch (key) {
    case "ArrowDown":
      return selected + 1;
    case "ArrowUp":
      return selected - 1;
    case "PageDown":
      return selected + pageSteps;
    case "PageUp":
      return selected - pageSteps;
    case "Home":
      return 0;
    case "End":
      return steps.length - 1;
    case "d":
      return nextDifference(opened);
    case "f":
      return nextFailure(opened);
    default:
      return undefined;
  }
}
