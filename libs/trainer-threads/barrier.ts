/** Words of the control block, each on its own cache line: members spin on some while others are written. */
const LINE = 16;
export const CONTROL_WORDS = 8 * LINE;
export const TASKS = 0 * LINE;
export const IDLE = 1 * LINE;
const ARRIVED = 2 * LINE;
const GENERATION = 3 * LINE;
const ABORTED = 4 * LINE;
export const CANCELLED = 5 * LINE;
export const TAKEN = 6 * LINE;
export const ROUNDS = 7 * LINE;

/** About 0.1 to 0.2 ms. Most waits are shorter, and sleeping and waking up would cost as much. */
const MAX_SPINS = 20_000;
/** When other threads need the processors, spinning only takes them from the members that are awaited. */
const MIN_SPINS = 500;

/** No member works nearly this long between two barriers. A member that is silent for this long is gone. */
const SILENCE_MS = 60_000;

/** Another member failed, so waiting for it is pointless. */
export class TrainerPoolAborted extends Error {
  override name = 'TrainerPoolAborted';
}

/**
 * A barrier at which members wait until all have arrived. It also synchronises memory: what a member wrote before the barrier
 * is visible to all members after it.
 */
export class Barrier {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #members: number;
  /** Halved by a wait that took longer, and raised slowly by waits that took less. */
  #spins = MAX_SPINS;

  constructor(control: Int32Array<SharedArrayBuffer>, members: number) {
    this.#control = control;
    this.#members = members;
  }

  /** @throws TrainerPoolAborted when a member has failed or does not arrive */
  wait(): void {
    const control = this.#control;
    const generation = Atomics.load(control, GENERATION);
    this.#requireGoing();
    if (this.#members === 1) return;
    if (Atomics.add(control, ARRIVED, 1) === this.#members - 1) {
      Atomics.store(control, ARRIVED, 0);
      this.#open();
    } else {
      const wasEnough = awaitChange(control, GENERATION, generation, this.#spins);
      this.#spins = wasEnough
        ? Math.min(MAX_SPINS, this.#spins + MIN_SPINS)
        : Math.max(MIN_SPINS, this.#spins / 2);
    }
    this.#requireGoing();
  }

  /** Releases every member with {@link TrainerPoolAborted}, now and at every later barrier of this task. */
  abort(): void {
    Atomics.store(this.#control, ABORTED, 1);
    this.#open();
  }

  get aborted(): boolean {
    return Atomics.load(this.#control, ABORTED) === 1;
  }

  /** Prepares for the next task. Call only while no member waits. */
  reset(): void {
    Atomics.store(this.#control, ARRIVED, 0);
    Atomics.store(this.#control, ABORTED, 0);
  }

  #requireGoing(): void {
    if (this.aborted) throw new TrainerPoolAborted('another thread of the trainer failed');
  }

  #open(): void {
    Atomics.add(this.#control, GENERATION, 1);
    Atomics.notify(this.#control, GENERATION);
  }
}

/**
 * Blocks until a word is no longer `value`. A wake-up does not prove a change: the member that made the previous change may
 * have been delayed before it notified, and then wakes members that have already seen that change and wait for the next one.
 * @returns whether the change came while spinning
 * @throws TrainerPoolAborted after {@link SILENCE_MS}
 */
export function awaitChange(
  control: Int32Array<SharedArrayBuffer>,
  word: number,
  value: number,
  spins = MAX_SPINS,
): boolean {
  for (let spin = 0; spin < spins; spin++) {
    if (Atomics.load(control, word) !== value) return true;
  }
  const giveUpAt = performance.now() + SILENCE_MS;
  while (Atomics.load(control, word) === value) {
    const leftMs = giveUpAt - performance.now();
    if (leftMs <= 0)
      throw new TrainerPoolAborted(`a thread of the trainer has been silent for ${SILENCE_MS / 1000} s`);
    Atomics.wait(control, word, value, leftMs);
  }
  return false;
}
