import { setTimeout as sleep } from 'node:timers/promises';

/** Something that a live process keeps doing. */
export interface LivenessProbe {
  /** The failure in words, for example `did not answer`. */
  failing: string;
  /** Rejects when the process fails to do it; may take forever. A late success still counts. */
  attempt: () => Promise<unknown>;
  /** Pause between two attempts. */
  pauseMs: number;
  /** How long all attempts must fail before the process counts as dead. */
  allowanceMs: number;
  /**
   * Why a failure is not the fault of the process, for example `its disk is full`. While there is a reason, a restart would not
   * help and the process is left alone.
   */
  excuse?: () => Promise<string | undefined>;
}

interface LivenessEvents {
  /** The process has failed for so long that it must be restarted. */
  dead: (sentence: string) => void;
  /** The process fails for a reason outside it. Called once for each such period. */
  excused: (sentence: string) => void;
}

/** Timeout of the calls in an attempt. Shorter than any allowance, so that a lost connection is replaced in time. */
export const ATTEMPT_MS = 10_000;
const TICK_MS = 250;

/** Repeats each probe until one of them finds the process dead, or until the returned function is called. */
export function watchLiveness(probes: LivenessProbe[], events: LivenessEvents): () => void {
  const over = new AbortController();
  for (const probe of probes) void new Watch(probe, events, over).run();
  return () => over.abort();
}

/**
 * Silence is counted in this process's own ticks, each at most as long as planned. On a suspended machine, under a frozen
 * supervisor or without processor time, the ticks stop like the responses do, so a live process is not blamed.
 */
class Watch {
  readonly #probe: LivenessProbe;
  readonly #events: LivenessEvents;
  readonly #over: AbortController;
  #silentMs = 0;
  #excuse: string | undefined;

  constructor(probe: LivenessProbe, events: LivenessEvents, over: AbortController) {
    this.#probe = probe;
    this.#events = events;
    this.#over = over;
  }

  async run(): Promise<void> {
    const { attempt, pauseMs } = this.#probe;
    while (!this.#over.signal.aborted) {
      await sleep(pauseMs, undefined, { ref: false });
      // The pause between two successes does not count as silence.
      if (this.#silentMs > 0) this.#silentMs += pauseMs;
      const isDone = await this.#untilDone(attempt());
      if (isDone) [this.#silentMs, this.#excuse] = [0, undefined];
      else await this.#judge();
    }
  }

  /** False when the attempt failed, or when the allowance is used up. */
  async #untilDone(attempt: Promise<unknown>): Promise<boolean> {
    const done = attempt.then(
      () => true,
      () => false,
    );
    while (!this.#over.signal.aborted) {
      const begun = performance.now();
      const outcome = await Promise.race([done, sleep(TICK_MS, undefined, { ref: false })]);
      if (outcome === true) return true;
      this.#silentMs += Math.min(performance.now() - begun, TICK_MS);
      if (outcome === false || this.#silentMs >= this.#probe.allowanceMs) return false;
    }
    return false;
  }

  async #judge(): Promise<void> {
    const { failing, allowanceMs, excuse } = this.#probe;
    const earlier = this.#excuse;
    this.#excuse = await excuse?.().catch(() => undefined);
    if (this.#over.signal.aborted) return;
    if (this.#excuse !== undefined) {
      this.#silentMs = 0;
      if (this.#excuse !== earlier) this.#events.excused(`${failing}: ${this.#excuse}`);
    } else if (this.#silentMs >= allowanceMs) {
      this.#over.abort();
      this.#events.dead(`${failing} for ${Math.round(this.#silentMs / 1000)} s`);
    }
  }
}
