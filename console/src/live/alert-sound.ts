/** A short sound for what needs somebody. Off until the user switches it on, because a browser plays nothing before a click. */
import { Store } from "@voice/client-kit/store";

const toneHz = 880;
const lengthS = 0.18;
/** Quiet beside voices that are listened to. */
const gain = 0.15;

export class AlertSound {
  readonly store = new Store<boolean>(false);
  readonly #createContext: () => AudioContext;
  #context: AudioContext | undefined;

  constructor(createContext: () => AudioContext) {
    this.#createContext = createContext;
  }

  /** Called while a click is being handled. */
  toggle(): void {
    const isOn = !this.store.get();
    this.store.set(isOn);
    if (!isOn) return;
    this.#context ??= this.#createContext();
    void this.#context.resume();
    this.play();
  }

  play(): void {
    const context = this.#context;
    if (context === undefined || !this.store.get()) return;
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    oscillator.frequency.value = toneHz;
    volume.gain.setValueAtTime(gain, context.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + lengthS);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start();
    oscillator.stop(context.currentTime + lengthS);
  }
}
