/** The chosen microphone and volume, kept for the next visit. */
import { z } from "zod";

import type { StoredValue } from "../stored-value.ts";
import { Store } from "@voice/client-kit/store";

export const soundChoice = z.object({
  microphoneId: z.string().optional(),
  /** 0 to 1. */
  volume: z.number().min(0).max(1),
});

interface MicrophoneInfo {
  readonly id: string;
  readonly label: string;
}

export interface SoundSettingsState {
  /** Empty until the browser tells, which it does once the microphone was allowed. */
  readonly microphones: readonly MicrophoneInfo[];
  /** The system's default if undefined. */
  readonly microphoneId: string | undefined;
  readonly volume: number;
}

export interface SoundSettingsOptions {
  readonly stored: StoredValue<z.output<typeof soundChoice>>;
  readonly listMicrophones: () => Promise<readonly MicrophoneInfo[]>;
  readonly onVolume: (volume: number) => void;
}

export class SoundSettings {
  readonly store: Store<SoundSettingsState>;
  readonly #options: SoundSettingsOptions;

  constructor(options: SoundSettingsOptions) {
    this.#options = options;
    const { microphoneId, volume = 1 } = options.stored.get() ?? {};
    this.store = new Store<SoundSettingsState>({ microphones: [], microphoneId, volume });
  }

  async refresh(): Promise<void> {
    this.store.update({ microphones: await this.#options.listMicrophones() });
  }

  chooseMicrophone(microphoneId: string | undefined): void {
    this.store.update({ microphoneId });
    this.#keep();
  }

  setVolume(volume: number): void {
    this.store.update({ volume });
    this.#options.onVolume(volume);
    this.#keep();
  }

  #keep(): void {
    const { microphoneId, volume } = this.store.get();
    this.#options.stored.set({ microphoneId, volume });
  }
}
