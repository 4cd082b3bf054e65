import type { Transport } from './transport.ts';

/** What all parts of the client have in common. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}
