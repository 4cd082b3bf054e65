import type { JsMsg } from '@nats-io/jetstream';
import type { LedgerRow } from '../ledger-row.ts';

export interface HeldMessage {
  message: JsMsg;
  row: LedgerRow;
}

/**
 * Messages received and not yet acknowledged, in the order of their first arrival. The consumer's limit of
 * unacknowledged messages bounds it: a message that is delivered again replaces its earlier delivery.
 */
export class HeldMessages {
  readonly #bySequence = new Map<number, HeldMessage>();
  #arrival = Promise.withResolvers<void>();

  get size(): number {
    return this.#bySequence.size;
  }

  add(held: HeldMessage): void {
    this.#bySequence.set(held.message.seq, held);
    this.#arrival.resolve();
  }

  /** Resolves as soon as there is a message, or at `interrupt`. */
  arrival(): Promise<void> {
    return this.#arrival.promise;
  }

  interrupt(): void {
    this.#arrival.resolve();
  }

  first(count: number): HeldMessage[] {
    return [...this.#bySequence.values()].slice(0, count);
  }

  /** Reports to NATS that work on every message goes on, so that none is delivered again meanwhile. */
  keepAlive(): void {
    for (const { message } of this.#bySequence.values()) message.working();
  }

  /** These are stored: NATS may forget them. */
  acknowledge(batch: HeldMessage[]): void {
    this.#letGo(batch, (message) => message.ack());
  }

  /** Gives everything back for another process to take at once. */
  giveBack(): void {
    this.#letGo([...this.#bySequence.values()], (message) => message.nak());
  }

  #letGo(batch: HeldMessage[], answer: (message: JsMsg) => void): void {
    for (const { message } of batch) {
      answer(this.#bySequence.get(message.seq)?.message ?? message);
      this.#bySequence.delete(message.seq);
    }
    if (this.#bySequence.size === 0) this.#arrival = Promise.withResolvers();
  }
}
