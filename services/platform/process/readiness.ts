import { inTime } from './waiting.ts';

/** A part whose check takes longer counts as unavailable, so that a probe is answered even while everything hangs. */
const CHECK_WITHIN_MS = 1_000;

/** Rejects, or throws, with the reason why a part is unusable. */
type PartCheck = () => unknown;

/** The readiness of a process, as `/readyz` returns it. */
export interface ReadinessState {
  /** Whether requests sent to the process can succeed. */
  ready: boolean;
  /** Why not; empty when ready. */
  reasons: string[];
  /** Parts that are unavailable although the process can serve without them. */
  degraded: string[];
}

/** Tracks whether a process can serve, and why not. */
export class Readiness {
  readonly #needed = new Map<string, PartCheck>();
  readonly #used = new Map<string, PartCheck>();
  #phase: 'starting' | 'serving' | 'stopping' = 'starting';

  /** Registers a part without which requests fail. */
  needs(part: string, check: PartCheck): void {
    this.#needed.set(part, check);
  }

  /** Registers a part without which requests still succeed, but slower or with less. */
  uses(part: string, check: PartCheck): void {
    this.#used.set(part, check);
  }

  started(): void {
    if (this.#phase === 'starting') this.#phase = 'serving';
  }

  /** From now on new requests should go to another process. */
  stops(): void {
    this.#phase = 'stopping';
  }

  async state(): Promise<ReadinessState> {
    const [missing, degraded] = await Promise.all([failuresOf(this.#needed), failuresOf(this.#used)]);
    const reasons = this.#phase === 'serving' ? missing : [`the process is ${this.#phase}`, ...missing];
    return { ready: reasons.length === 0, reasons, degraded };
  }
}

async function failuresOf(checks: Map<string, PartCheck>): Promise<string[]> {
  const failures = await Promise.all(
    [...checks].map(async ([part, check]) => {
      const reason = await failureOf(check);
      return reason === undefined ? [] : [`${part}: ${reason}`];
    }),
  );
  return failures.flat();
}

async function failureOf(check: PartCheck): Promise<string | undefined> {
  try {
    await inTime(Promise.resolve(check()), CHECK_WITHIN_MS);
    return undefined;
  } catch (error) {
    return (error as Error).message || 'no answer';
  }
}
