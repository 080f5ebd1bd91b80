/**
 * `<voice-agent scenario="…">`: an agent in any page, by one script. It holds a `VoiceAgent` and draws it; whatever it does not draw, a page
 * has from `client`.
 */
import { VoiceAgent, type VoiceAgentOptions, type VoiceAgentState } from "../voice-agent.ts";
import type { TranscriptEntry } from "../transcript.ts";
import { drawElement, type Drawn } from "./draw-element.ts";
import { english, type Labels } from "./labels.ts";

/** For pages that draw a conversation themselves and build nothing: they import it from where the script is. */
export { VoiceAgent };

/** Where the script came from is where the service is, unless the attribute `service` says otherwise. */
const origin = new URL("/", import.meta.url).href;
const messageTypes = ["session", "transcript", "response", "event", "error"] as const;

export class VoiceAgentElement extends HTMLElement {
  /** Set before the conversation begins: the access token of who is signed in. */
  token: VoiceAgentOptions["token"];
  requestTicket: VoiceAgentOptions["requestTicket"];
  #labels: Labels = english;
  #client: VoiceAgent | undefined;
  #drawn: Drawn | undefined;
  readonly #entries = new Map<number, HTMLElement>();

  /** The words that it shows, to replace some or all of them. */
  get labels(): Labels {
    return this.#labels;
  }

  set labels(labels: Partial<Labels>) {
    this.#labels = { ...english, ...labels };
    if (this.#drawn === undefined) return;
    this.#drawn = undefined;
    this.#entries.clear();
    this.#draw();
  }

  /** Made when it is first needed, from the attributes as they are then. */
  get client(): VoiceAgent {
    this.#client ??= this.#createClient();
    return this.#client;
  }

  connectedCallback(): void {
    this.#draw();
  }

  /** A page that takes the element out of itself has hung up. */
  disconnectedCallback(): void {
    this.#client?.leave();
  }

  #createClient(): VoiceAgent {
    const read = (name: string): string | undefined => this.getAttribute(name) || undefined;
    const mode = read("mode")?.toUpperCase();
    const client = new VoiceAgent({
      service: read("service") ?? origin,
      scenario: read("scenario"),
      agent: read("agent"),
      language: read("language"),
      timeZone: read("time-zone"),
      profileId: read("profile-id"),
      sessionId: read("session-id"),
      mode: mode === "VOICE_LIVE" || mode === "REALTIME" ? mode : undefined,
      token: this.token,
      requestTicket: this.requestTicket,
      storage: this.hasAttribute("remember") ? sessionStorage : undefined,
    });
    client.state.subscribe(() => this.#show(client.state.get()));
    client.levels.subscribe(() => this.#drawn?.showLevel(client.levels.get().microphone));
    for (const type of messageTypes)
      client.on(type, (payload) =>
        this.dispatchEvent(new CustomEvent(`voice-agent-${type}`, { bubbles: true, composed: true, detail: payload })),
      );
    return client;
  }

  #draw(): void {
    if (this.#drawn !== undefined) return;
    this.#drawn = drawElement(
      this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true }),
      this.#labels,
      {
        onTalk: () => {
          const { microphone } = this.client.state.get();
          if (microphone === "off") void this.client.talk();
          else this.client.mute();
        },
        onEnd: () => this.client.end(),
        onText: (text) => this.client.sendText(text),
      },
    );
    if (this.#client !== undefined) this.#show(this.#client.state.get());
  }

  #show(state: VoiceAgentState): void {
    const drawn = this.#drawn;
    if (drawn === undefined) return;
    drawn.show(state, this.#statusOf(state));
    this.#showTranscript(drawn.transcript, state.transcript);
  }

  #statusOf({ connection, agentState, session, endReason }: VoiceAgentState): string {
    const labels = this.#labels;
    if (connection.kind === "open" && session !== undefined) return agentState ? labels[agentState] : labels.connected;
    if (connection.kind === "connecting" || connection.kind === "open") return labels.connecting;
    if (connection.kind === "waiting") return labels.reconnecting;
    return endReason !== undefined || (connection.kind === "closed" && session !== undefined)
      ? labels.ended
      : labels.ready;
  }

  #showTranscript(list: HTMLElement, entries: readonly TranscriptEntry[]): void {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const gone = new Set(this.#entries.keys());
    for (const [at, entry] of entries.entries()) {
      gone.delete(entry.id);
      const shown = this.#entries.get(entry.id) ?? this.#addEntry(entry);
      shown.classList.toggle("open", !entry.isFinal);
      const text = shown.lastChild;
      if (text !== null && text.textContent !== entry.text) text.textContent = entry.text;
      if (list.children[at] !== shown) list.insertBefore(shown, list.children[at] ?? null);
    }
    for (const id of gone) {
      this.#entries.get(id)?.remove();
      this.#entries.delete(id);
    }
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  #addEntry({ id, speaker, agent }: TranscriptEntry): HTMLElement {
    const entry = document.createElement("p");
    entry.className = `entry ${speaker}`;
    entry.setAttribute("part", `entry ${speaker}`);
    const who = document.createElement("span");
    who.className = "who";
    who.textContent = speaker === "user" ? this.#labels.user : (agent ?? "").replaceAll(/[_-]+/g, " ");
    entry.append(who, document.createElement("span"));
    this.#entries.set(id, entry);
    return entry;
  }
}

// A page that loads the script twice has the first one's element.
if (customElements.get("voice-agent") === undefined) customElements.define("voice-agent", VoiceAgentElement);
