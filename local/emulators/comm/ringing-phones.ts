/** The phones that the network rings for one call. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Handset, RingingCall, RingOutcome } from "../../phone/handset.ts";
import { aborted } from "./refusals.ts";
import type { Refusal } from "./refusals.ts";

export class RingingPhones {
  readonly #clock: Clock;
  readonly #ringMs: number;
  readonly #ringing = new Set<AbortController>();
  /** The invitations that nobody has answered, each with what silences its phone. */
  readonly #invitations = new Map<string, AbortController>();

  constructor({ clock, ringMs }: { readonly clock: Clock; readonly ringMs: number }) {
    this.#clock = clock;
    this.#ringMs = ringMs;
  }

  /** Resolves when the phone is picked up, the network gives up, or the call is over. */
  async ring(call: RingingCall, handset: Handset, ringing = new AbortController()): Promise<RingOutcome | Refusal> {
    this.#ringing.add(ringing);
    const cancel = this.#clock.setTimer(this.#ringMs, () => ringing.abort());
    const outcome = await Promise.race([handset.ring(call, ringing.signal), aborted(ringing.signal)]);
    cancel();
    this.#ringing.delete(ringing);
    return outcome;
  }

  async invite(
    invitationId: string,
    call: RingingCall,
    handset: Handset,
  ): Promise<RingOutcome | Refusal | "cancelled"> {
    const ringing = new AbortController();
    this.#invitations.set(invitationId, ringing);
    const outcome = await this.ring(call, handset, ringing);
    return this.#invitations.delete(invitationId) ? outcome : "cancelled";
  }

  /** False if somebody has answered, or nobody was invited. */
  cancel(invitationId: string): boolean {
    const ringing = this.#invitations.get(invitationId);
    this.#invitations.delete(invitationId);
    ringing?.abort();
    return ringing !== undefined;
  }

  stop(): void {
    for (const ringing of this.#ringing) ringing.abort();
  }
}
