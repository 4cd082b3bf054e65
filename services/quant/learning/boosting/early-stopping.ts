/** Watches a loss that should fall, and says when to stop waiting for it. */
export class EarlyStopping {
  readonly #patience: number | null;
  readonly losses: number[] = [];
  /** The round with the lowest loss so far; without patience simply the last. */
  bestRound = -1;

  constructor(patience: number | null) {
    this.#patience = patience;
  }

  /** Takes the next round's loss. @returns whether this round is the best so far */
  add(loss: number): boolean {
    const isBest = this.#patience === null || this.bestRound === -1 || loss < this.losses[this.bestRound]!;
    this.losses.push(loss);
    if (isBest) this.bestRound = this.losses.length - 1;
    return isBest;
  }

  get exhausted(): boolean {
    return this.#patience !== null && this.losses.length - 1 - this.bestRound >= this.#patience;
  }
}
