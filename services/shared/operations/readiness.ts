import { inTime } from '../waiting.ts';

/** A part that takes longer counts as away, so that a probe is answered while everything hangs. */
const CHECK_WITHIN_MS = 1_000;

/** Rejects, or throws, with the reason why a part cannot be used. */
type PartCheck = () => unknown;

/** What a process can do, as `/readyz` answers it. */
export interface ReadinessState {
  /** Whether requests sent to the process can succeed. */
  ready: boolean;
  /** Why not; empty when ready. */
  reasons: string[];
  /** What is away without which the process still serves. */
  degraded: string[];
}

/** Whether a process can serve, and what keeps it from that. */
export class Readiness {
  readonly #needed = new Map<string, PartCheck>();
  readonly #used = new Map<string, PartCheck>();
  #phase: 'starting' | 'serving' | 'stopping' = 'starting';

  /** Without this part requests fail. */
  needs(part: string, check: PartCheck): void {
    this.#needed.set(part, check);
  }

  /** Without this part requests are served, less well or later. */
  uses(part: string, check: PartCheck): void {
    this.#used.set(part, check);
  }

  started(): void {
    if (this.#phase === 'starting') this.#phase = 'serving';
  }

  /** From now on new requests belong elsewhere. */
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
