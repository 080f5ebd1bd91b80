/**
 * Makes a request that a server has rejected acceptable, and remembers what was needed. A repair is a pure function over the request; the
 * protocol decides which ones are likely. No body is sent twice, a repair that did not help is undone, and only what was part of an
 * accepted request is learnt. Knows no vendor.
 */

export interface Repair<Request> {
  /** Of two repairs with the same key, the later one counts. */
  readonly key: string;
  /** For the log and for operators: how requests are changed, without any personal text. */
  readonly description: string;
  /** Repairs are applied in this order. */
  readonly order: number;
  /** The repair removes something from a conversation, so later requests are not repaired until they are rejected in the same way. */
  readonly isPassing?: boolean;
  /** The repair may need several steps, so it stays applied if the rejection is still the same. */
  readonly isGradual?: boolean;
  apply(request: Request): Request;
}

/** No server needs this many, but agents that clients create may name any number of values that are rejected. */
const mostLearnt = 64;
/** A caller waits meanwhile. Rejections arrive quickly, because no model has worked on the request. */
const mostAttempts = 10;

/** What one model at one endpoint is known to need. */
export class LearntRepairs<Request, One extends Repair<Request> = Repair<Request>> {
  readonly #lasting = new Map<string, One>();
  /** For each rejection's signature, the repairs that made such a request acceptable. */
  readonly #remedies = new Map<string, readonly One[]>();

  constructor(known: readonly One[] = []) {
    for (const repair of known) this.#lasting.set(repair.key, repair);
  }

  get lasting(): readonly One[] {
    return [...this.#lasting.values()];
  }

  /** Text for operators. */
  get descriptions(): readonly string[] {
    return [
      ...new Set(
        [...this.#lasting.values(), ...[...this.#remedies.values()].flat()].map(({ description }) => description),
      ),
    ];
  }

  remedyFor(signature: string): readonly One[] {
    return this.#remedies.get(signature) ?? [];
  }

  /** Returns what is new. */
  learn(signature: string, repairs: readonly One[]): readonly One[] {
    const isNew = ({ key, description }: One): boolean => this.#lasting.get(key)?.description !== description;
    const lasting = repairs.filter(({ isPassing }) => isPassing !== true);
    const passing = repairs.filter(({ isPassing }) => isPassing === true);
    const fresh = [...lasting.filter(isNew), ...(this.#remedies.has(signature) ? [] : passing)];
    for (const repair of lasting) remember(this.#lasting, repair.key, repair);
    if (passing.length > 0) remember(this.#remedies, signature, passing);
    return fresh;
  }
}

function remember<Value>(into: Map<string, Value>, key: string, value: Value): void {
  into.delete(key);
  into.set(key, value);
  const [oldest] = into.keys();
  if (into.size > mostLearnt && oldest !== undefined) into.delete(oldest);
}

/** One request while it is being repaired. */
export class RequestUnderRepair<Request, One extends Repair<Request> = Repair<Request>> {
  readonly #original: Request;
  readonly #learnt: LearntRepairs<Request, One>;
  #current: Request;
  /** The bodies sent so far, from the first rejection on: most requests have none, and a body may be long. */
  readonly #sent = new Set<string>();
  #added: readonly One[] = [];
  #newest: readonly One[] = [];
  #firstSignature: string | undefined;
  #lastSignature: string | undefined;

  constructor(original: Request, learnt: LearntRepairs<Request, One>) {
    this.#original = original;
    this.#learnt = learnt;
    this.#current = this.#with([]);
  }

  /** The request as it was first sent. */
  get first(): Request {
    return this.#with([]);
  }

  get current(): Request {
    return this.#current;
  }

  /** `candidates`: steps, the likeliest first. False if none is left that changes the request. */
  refused(signature: string, candidates: readonly (readonly One[])[]): boolean {
    this.#sent.add(JSON.stringify(this.#current));
    const helpedNot = this.#lastSignature === signature;
    if (helpedNot)
      this.#added = this.#added.filter((repair) => repair.isGradual === true || !this.#newest.includes(repair));
    this.#firstSignature ??= signature;
    this.#lastSignature = signature;
    if (this.#sent.size >= mostAttempts) return false;
    for (const step of [this.#learnt.remedyFor(signature), ...candidates]) {
      const added = withoutReplaced(this.#added, step);
      const request = this.#with(added);
      const body = JSON.stringify(request);
      if (this.#sent.has(body)) continue;
      this.#sent.add(body);
      this.#current = request;
      this.#added = added;
      this.#newest = step;
      return true;
    }
    return false;
  }

  /** The request was accepted in its current form; returns what was learnt from it. */
  accepted(): readonly One[] {
    if (this.#firstSignature === undefined) return [];
    const accepted = JSON.stringify(this.#with(this.#added));
    const needed = this.#added.filter((repair) => {
      const others = this.#added.filter((other) => other !== repair);
      return JSON.stringify(this.#with(others)) !== accepted;
    });
    return this.#learnt.learn(this.#firstSignature, needed);
  }

  #with(added: readonly One[]): Request {
    const all = withoutReplaced(this.#learnt.lasting, added).toSorted((left, right) => left.order - right.order);
    return all.reduce((request, repair) => repair.apply(request), this.#original);
  }
}

function withoutReplaced<One extends { readonly key: string }>(
  before: readonly One[],
  step: readonly One[],
): readonly One[] {
  const keys = new Set(step.map(({ key }) => key));
  return [...before.filter(({ key }) => !keys.has(key)), ...step];
}
