import { isQuick } from '#models/quick-runs.ts';
import type { SharedMarket } from '../market/shared-market.ts';
import type { ScreenThread } from './screen-thread.ts';
import type { Outcome, ThreadRun } from './thread-messages.ts';

/** What the pool needs of a thread. */
export type PooledThread = Pick<ScreenThread, 'run' | 'cancel' | 'forget' | 'stop'>;

/** A run of an application that never trains, one that may, training ahead of such runs, or a day of a backfill. */
type Kind = 'quick run' | 'run' | 'preparation' | 'day';

interface RunEnd {
  outcome: Outcome;
  /** Whether a run ended the day. */
  wasEnded: boolean;
}

interface Slot<T> {
  thread: T;
  /** Whether it serves quick runs alone. */
  isForQuick: boolean;
  doing: Kind | undefined;
  /** Whether a run may end the day that is being screened. */
  mayBeEnded: boolean;
  wasEnded: boolean;
  freeSince: number;
}

/** Who gets a thread first. */
const ORDER: readonly Kind[] = ['quick run', 'run', 'preparation', 'day'];

/**
 * Threads that screen (`RUNS_AT_ONCE` of them), and who may use them: runs first, then one preparation at a time, then days of
 * backfills. A run that never trains takes some 50 ms, and one that trains up to a second: the first has one more thread, which the
 * second never gets, and takes any other when that is busy. A run that finds no thread free ends a day, which starts again
 * afterwards. A day that may not be ended, or a preparation, which takes less than a second, goes on, and the run waits.
 */
export class ThreadPool<T extends PooledThread> {
  readonly #slots: Slot<T>[];
  readonly #waiting: Record<Kind, ((slot: Slot<T>) => void)[]> = {
    'quick run': [],
    run: [],
    preparation: [],
    day: [],
  };
  /** By version, also those that wait for a thread. */
  readonly #runsOn = new Map<string, Set<Promise<unknown>>>();
  readonly #onRunEnd: (() => void) | undefined;
  #uses = 0;

  /**
   * @param quickThread for quick runs alone
   * @param onRunEnd called after every use of a thread
   */
  constructor(threads: readonly T[], quickThread?: T, onRunEnd?: () => void) {
    this.#onRunEnd = onRunEnd;
    this.#slots = [...(quickThread ? [quickThread] : []), ...threads].map((thread) => ({
      thread,
      isForQuick: thread === quickThread,
      doing: undefined,
      mayBeEnded: false,
      wasEnded: false,
      freeSince: 0,
    }));
  }

  /** Without the thread for quick runs. */
  get size(): number {
    return this.#slots.filter(({ isForQuick }) => !isForQuick).length;
  }

  run(market: SharedMarket, run: ThreadRun, signal: AbortSignal): Promise<Outcome> {
    return this.#use(isQuick(run.model_id) ? 'quick run' : 'run', market, run, signal).then(
      ({ outcome }) => outcome,
    );
  }

  /** Call for one preparation at a time. */
  prepare(market: SharedMarket, run: ThreadRun, signal: AbortSignal): Promise<Outcome> {
    return this.#use('preparation', market, run, signal).then(({ outcome }) => outcome);
  }

  day(
    market: SharedMarket,
    run: ThreadRun,
    { signal, mayBeEnded }: { signal: AbortSignal; mayBeEnded: boolean },
  ): Promise<RunEnd> {
    return this.#use('day', market, run, signal, mayBeEnded);
  }

  /** Lets go of a version that no new run uses, once those that use it have ended. */
  async forget(version: string): Promise<void> {
    await Promise.allSettled([...(this.#runsOn.get(version) ?? [])]);
    for (const { thread } of this.#slots) thread.forget(version);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#slots.map(({ thread }) => thread.stop()));
  }

  async #use(
    kind: Kind,
    market: SharedMarket,
    run: ThreadRun,
    signal: AbortSignal,
    mayBeEnded = false,
  ): Promise<RunEnd> {
    const { version } = market.dataset;
    const running = this.#useSlot(kind, market, run, signal, mayBeEnded);
    const runs = this.#runsOn.get(version) ?? new Set();
    this.#runsOn.set(version, runs.add(running));
    try {
      return await running;
    } finally {
      runs.delete(running);
      if (runs.size === 0) this.#runsOn.delete(version);
    }
  }

  async #useSlot(
    kind: Kind,
    market: SharedMarket,
    run: ThreadRun,
    signal: AbortSignal,
    mayBeEnded: boolean,
  ): Promise<RunEnd> {
    const slot = await this.#slotFor(kind);
    Object.assign(slot, { mayBeEnded, wasEnded: false });
    const cancel = () => slot.thread.cancel();
    try {
      if (signal.aborted) return { outcome: { status: 'interrupted' }, wasEnded: false };
      signal.addEventListener('abort', cancel);
      const outcome = await slot.thread.run(market, run);
      return { outcome, wasEnded: slot.wasEnded };
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#free(slot);
      this.#onRunEnd?.();
    }
  }

  #slotFor(kind: Kind): Promise<Slot<T>> {
    const free = this.#freeSlotFor(kind);
    if (free) {
      free.doing = kind;
      return Promise.resolve(free);
    }
    return new Promise((resolve) => {
      this.#waiting[kind].push(resolve);
      if (kind === 'quick run' || kind === 'run') this.#endDay();
    });
  }

  /** The warmest thread for a run or a day; the coldest for a preparation, which warms it. Quick runs have their own first. */
  #freeSlotFor(kind: Kind): Slot<T> | undefined {
    const own = this.#slots.find(({ isForQuick, doing }) => isForQuick && doing === undefined);
    if (own && kind === 'quick run') return own;
    const isFirst = ORDER.slice(0, ORDER.indexOf(kind)).every((first) => this.#waiting[first].length === 0);
    if (!isFirst) return undefined;
    const free = this.#slots.filter(({ isForQuick, doing }) => !isForQuick && doing === undefined);
    free.sort((a, b) => b.freeSince - a.freeSince);
    return kind === 'preparation' ? free.at(-1) : free[0];
  }

  #endDay(): void {
    const ended = this.#slots.filter(({ wasEnded }) => wasEnded).length;
    if (ended >= this.#waiting['quick run'].length + this.#waiting.run.length) return;
    const slot = this.#slots.find(
      ({ doing, mayBeEnded, wasEnded }) => doing === 'day' && mayBeEnded && !wasEnded,
    );
    if (!slot) return;
    slot.wasEnded = true;
    slot.thread.cancel();
  }

  #free(slot: Slot<T>): void {
    Object.assign(slot, { doing: undefined, wasEnded: false, freeSince: ++this.#uses });
    for (const kind of slot.isForQuick ? ORDER.slice(0, 1) : ORDER) {
      const next = this.#waiting[kind].shift();
      if (!next) continue;
      slot.doing = kind;
      return next(slot);
    }
  }
}
