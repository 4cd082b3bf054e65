import { SaringError } from './saring-error.ts';

/** Timers with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2_147_483_647;

/** Ends a call when its time is up or its caller aborts it. Close it when the call has ended. */
export class CallLimit {
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason);

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#endsAt = performance.now() + timeoutMs;
    const endInTime = () => {
      this.#controller.abort(new SaringError('timeout', `The call took longer than ${timeoutMs} ms.`));
    };
    if (timeoutMs !== Infinity) this.#timer = setTimeout(endInTime, Math.min(timeoutMs, MAX_TIMER_MS));
    this.#caller = caller;
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Options for a call that is part of this one. It may take all the time left, whatever the client’s default is. */
  get asOptions(): { signal: AbortSignal; timeoutMs: number } {
    return { signal: this.signal, timeoutMs: Math.max(0, Math.ceil(this.remainingMs)) };
  }

  /**
   * Resolves as `awaited` does, or rejects once the limit is reached. Every wait goes through here, because a request
   * that was garbage-collected no longer passes its signal on to the body of its response.
   */
  async within<Value>(awaited: Promise<Value>): Promise<Value> {
    let onReached = () => {};
    const reached = new Promise<never>((_, reject) => {
      onReached = () => reject(this.signal.reason as Error);
    });
    if (this.signal.aborted) onReached();
    else this.signal.addEventListener('abort', onReached);
    try {
      return await Promise.race([awaited, reached]);
    } finally {
      this.signal.removeEventListener('abort', onReached);
    }
  }

  async sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await this.within(slept).finally(() => clearTimeout(timer));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}
