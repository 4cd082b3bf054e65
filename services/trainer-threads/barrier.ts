/** Words of the control block, each on a cache line of its own: members spin on some while others are written. */
const LINE = 16;
export const CONTROL_WORDS = 6 * LINE;
export const TASKS = 0 * LINE;
export const IDLE = 1 * LINE;
const ARRIVED = 2 * LINE;
const GENERATION = 3 * LINE;
const ABORTED = 4 * LINE;
export const CANCELLED = 5 * LINE;

/** A tenth of a millisecond or two: most waits are shorter, and to sleep and be woken costs as much. */
const MAX_SPINS = 20_000;
/** Where others have the processors, spinning only keeps those from them who are waited for. */
const MIN_SPINS = 500;

/** Nothing a member does between two barriers takes near so long; one that is silent for this long is gone. */
const SILENCE_MS = 60_000;

/** Another member failed, so waiting for it is pointless. */
export class CrewAborted extends Error {
  override name = 'CrewAborted';
}

/**
 * Where members wait until all have come. Members synchronise through it: what one wrote before is seen by all after.
 */
export class Barrier {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #members: number;
  /** Halved by each wait that it was too short for, and slowly back up by those that it was enough for. */
  #spins = MAX_SPINS;

  constructor(control: Int32Array<SharedArrayBuffer>, members: number) {
    this.#control = control;
    this.#members = members;
  }

  /** @throws CrewAborted when a member has failed or does not come. */
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

  /** Lets everyone go, with {@link CrewAborted}, now and at every later barrier of this task. */
  abort(): void {
    Atomics.store(this.#control, ABORTED, 1);
    this.#open();
  }

  get aborted(): boolean {
    return Atomics.load(this.#control, ABORTED) === 1;
  }

  /** For the next task; only while no member waits. */
  reset(): void {
    Atomics.store(this.#control, ARRIVED, 0);
    Atomics.store(this.#control, ABORTED, 0);
  }

  #requireGoing(): void {
    if (this.aborted) throw new CrewAborted('another thread of the trainer failed');
  }

  #open(): void {
    Atomics.add(this.#control, GENERATION, 1);
    Atomics.notify(this.#control, GENERATION);
  }
}

/**
 * Blocks until a word is no longer `value`. Being woken is no proof of a change: the member that changed the word the time before may have
 * been held up before it notified, and wakes those who have long seen that change and wait for the next one.
 * @returns whether it came while spinning
 * @throws CrewAborted after {@link SILENCE_MS}.
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
      throw new CrewAborted(`a thread of the trainer has been silent for ${SILENCE_MS / 1000} s`);
    Atomics.wait(control, word, value, leftMs);
  }
  return false;
}
