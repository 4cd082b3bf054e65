import type { NatsConnection } from '@nats-io/transport-node';

/** Whether NATS is connected, as far as the client connection knows. A server that hangs still counts as connected. */
export class NatsPresence {
  #isHere = true;
  readonly #callBacks: (() => void)[] = [];

  constructor(connection: NatsConnection) {
    void this.#follow(connection);
  }

  get isHere(): boolean {
    return this.#isHere;
  }

  /** Registers a callback for every disconnect and reconnect. */
  onChange(callBack: () => void): void {
    this.#callBacks.push(callBack);
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== 'disconnect' && status.type !== 'reconnect') continue;
      this.#isHere = status.type === 'reconnect';
      for (const callBack of this.#callBacks) callBack();
    }
  }
}
