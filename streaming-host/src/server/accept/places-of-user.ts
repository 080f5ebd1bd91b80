/** How many places each user has taken (ACCESS-23). */
export class PlacesOfUser {
  readonly #taken = new Map<string, number>();

  takenBy(subject: string): number {
    return this.#taken.get(subject) ?? 0;
  }

  /** Call the returned function when the place is free again; further calls of it do nothing. */
  take(subject: string): () => void {
    this.#taken.set(subject, this.takenBy(subject) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = this.takenBy(subject) - 1;
      if (left > 0) this.#taken.set(subject, left);
      else this.#taken.delete(subject);
    };
  }
}
