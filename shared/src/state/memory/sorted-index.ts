/** A sorted set: members by score, ties by member, as Redis orders them. Ranges and counts cost O(log n + page). */

interface Member {
  readonly score: number;
  readonly member: string;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

export class SortedIndex {
  /** Ascending. New members nearly always belong at the end. */
  readonly #members: Member[] = [];
  readonly #scores = new Map<string, number>();

  set(member: string, score: number): void {
    this.remove(member);
    this.#members.splice(this.#position(score, member), 0, { score, member });
    this.#scores.set(member, score);
  }

  /** Gives a member this score, unless it has a higher one or is not there. */
  raise(member: string, score: number): void {
    if ((this.#scores.get(member) ?? score) < score) this.set(member, score);
  }

  remove(member: string): void {
    const score = this.#scores.get(member);
    if (score === undefined) return;
    this.#members.splice(this.#position(score, member), 1);
    this.#scores.delete(member);
  }

  /** Drops every member whose score is `score` or less. */
  trim(score: number): void {
    const kept = this.#members.length - this.countAbove(score);
    for (const { member } of this.#members.splice(0, kept)) this.#scores.delete(member);
  }

  countAbove(score: number): number {
    return this.#members.length - this.#position(score, "\u{10FFFF}");
  }

  /** Members from the highest score down, those at or below `floor` left out. */
  newestFirst(offset: number, limit: number, floor: number): string[] {
    const stop = Math.max(offset, Math.min(offset + limit, this.countAbove(floor)));
    const end = this.#members.length - offset;
    return this.#members
      .slice(Math.max(0, end - (stop - offset)), Math.max(0, end))
      .map(({ member }) => member)
      .toReversed();
  }

  /** A page of those in the range, from the highest score down, and how many those are. Scores are whole milliseconds. */
  page(
    { offset, limit, fromMs = 0, beforeMs = Infinity }: Page,
    floor: number,
  ): { readonly ids: string[]; readonly total: number } {
    const lowest = Math.max(floor, fromMs - 1);
    const newer = this.countAbove(beforeMs - 1);
    const total = Math.max(0, this.countAbove(lowest) - newer);
    return { ids: this.newestFirst(newer + offset, limit, lowest), total };
  }

  /** The member's position, or where it would be inserted. */
  #position(score: number, member: string): number {
    let low = 0;
    let high = this.#members.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#members[middle];
      if (at !== undefined && (at.score < score || (at.score === score && at.member < member))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
