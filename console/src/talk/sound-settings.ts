/** The chosen microphone, loudspeaker and volume, kept for the next visit. */
import { z } from "zod";

import type { StoredValue } from "../stored-value.ts";
import { Store } from "@voice/client-kit/store";

export const soundChoice = z.object({
  microphoneId: z.string().optional(),
  loudspeakerId: z.string().optional(),
  /** 0 to 1. */
  volume: z.number().min(0).max(1),
});

interface DeviceInfo {
  readonly id: string;
  readonly label: string;
}

export interface SoundSettingsState {
  /** Empty until the user has allowed the microphone, because browsers list no devices before that. */
  readonly microphones: readonly DeviceInfo[];
  /** The system's default if undefined. */
  readonly microphoneId: string | undefined;
  /** Empty also where the browser cannot choose one. */
  readonly loudspeakers: readonly DeviceInfo[];
  readonly loudspeakerId: string | undefined;
  readonly volume: number;
}

export interface SoundSettingsOptions {
  readonly stored: StoredValue<z.output<typeof soundChoice>>;
  readonly listMicrophones: () => Promise<readonly DeviceInfo[]>;
  readonly listLoudspeakers: () => Promise<readonly DeviceInfo[]>;
  readonly onLoudspeaker: (id: string | undefined) => void;
  readonly onVolume: (volume: number) => void;
}

export class SoundSettings {
  readonly store: Store<SoundSettingsState>;
  readonly #options: SoundSettingsOptions;

  constructor(options: SoundSettingsOptions) {
    this.#options = options;
    const { microphoneId, loudspeakerId, volume = 1 } = options.stored.get() ?? {};
    const devices = { microphones: [], microphoneId, loudspeakers: [], loudspeakerId };
    this.store = new Store<SoundSettingsState>({ ...devices, volume });
  }

  async refresh(): Promise<void> {
    const { listMicrophones, listLoudspeakers } = this.#options;
    const [microphones, loudspeakers] = await Promise.all([listMicrophones(), listLoudspeakers()]);
    this.store.update({ microphones, loudspeakers });
  }

  chooseMicrophone(microphoneId: string | undefined): void {
    this.store.update({ microphoneId });
    this.#keep();
  }

  chooseLoudspeaker(loudspeakerId: string | undefined): void {
    this.store.update({ loudspeakerId });
    this.#options.onLoudspeaker(loudspeakerId);
    this.#keep();
  }

  setVolume(volume: number): void {
    this.store.update({ volume });
    this.#options.onVolume(volume);
    this.#keep();
  }

  #keep(): void {
    const { microphoneId, loudspeakerId, volume } = this.store.get();
    this.#options.stored.set({ microphoneId, loudspeakerId, volume });
  }
}
