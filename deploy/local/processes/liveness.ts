import { setTimeout as sleep } from 'node:timers/promises';

/** Something that a living process goes on doing. */
export interface LivenessProbe {
  /** What is said of the process when it stops, as in `answered nothing`. */
  failing: string;
  /** Rejects when the process does not do it; may take for ever. A late success is one. */
  attempt: () => Promise<unknown>;
  /** Between two attempts. */
  pauseMs: number;
  /** For how long no attempt must succeed before the process counts as dead. */
  allowanceMs: number;
  /**
   * Why a failure is not the process's fault, as in `its disk is full`. While there is such a reason a restart would
   * help nobody, and the process is left alone.
   */
  excuse?: () => Promise<string | undefined>;
}

interface LivenessEvents {
  /** The process has stopped doing this for so long that it must be restarted. */
  dead: (sentence: string) => void;
  /** The process cannot do this, without a fault of its own; once for each such time. */
  excused: (sentence: string) => void;
}

/** For the calls of an attempt: less than any allowance, so that a connection that was lost is made anew. */
export const ATTEMPT_MS = 10_000;
const TICK_MS = 250;

/** Attempts each probe again and again until one finds the process dead, or the returned function is called. */
export function watchLiveness(probes: LivenessProbe[], events: LivenessEvents): () => void {
  const over = new AbortController();
  for (const probe of probes) void new Watch(probe, events, over).run();
  return () => over.abort();
}

/**
 * Silence is counted in this process's own ticks, each as long as it was meant to take: on a suspended machine, under a
 * frozen supervisor or without a processor, ticks fail to come as answers do, and a living process is not blamed.
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
      // Time between two successes is no silence.
      if (this.#silentMs > 0) this.#silentMs += pauseMs;
      const isDone = await this.#untilDone(attempt());
      if (isDone) [this.#silentMs, this.#excuse] = [0, undefined];
      else await this.#judge();
    }
  }

  /** False when the attempt failed, or the allowance is used up. */
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
