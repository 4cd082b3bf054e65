import type { NatsConnection } from '@nats-io/transport-node';

type Callback = (error: null, message: { data: Uint8Array }) => void;

/** Hands every message to the only subscriber at once, as core NATS does for those who listen. */
class Loop {
  #callback: Callback | undefined;

  subscribe(_subject: string, { callback }: { callback: Callback }): void {
    this.#callback = callback;
  }

  publish(_subject: string, data: Uint8Array): void {
    this.#callback?.(null, { data });
  }

  isClosed(): boolean {
    return false;
  }
}

/** A connection whose messages come back to it. */
export function loopConnection(): NatsConnection {
  return new Loop() as unknown as NatsConnection;
}
