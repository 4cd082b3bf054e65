import { rmSync } from 'node:fs';
import type { Addresses, CalledService } from '../configuration/service-table.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { PatientSaver, writePrivateFile } from './write-private-file.ts';

/** URLs of the stores, with users that may read and write everything the services store there. */
export interface StoreUrls {
  postgres: string;
  /** By database, because the embedded server has no user for all of them. */
  clickhouse: { market: ClickHouseAddress; usage: ClickHouseAddress };
}

/** The content of `fleet.json`: how tools and tests reach every part of a fleet that is ready. */
export interface FleetDescription {
  base_url: string;
  /** Opens the console signed in. Works once, and for some minutes. */
  console_url: string;
  demo_key: string;
  ports: { gateway: number; clickhouse: number; nats: number; postgres: number };
  addresses: Addresses;
  /** Base URL of each process's `/livez`, `/readyz` and `/metrics`. */
  ops: Record<string, string>;
  operator_token: string;
  /** The tokens of a gateway for each service, so that another gateway can use the same services. */
  gateway_tokens: Record<CalledService, string>;
  /** The URL with the gateway's user. */
  nats_url: string;
  /** The analyst only exists on the embedded server. */
  clickhouse: { url: string; analyst_user: string | null; analyst_password: string | null };
  /** For tools that work on the stores directly, such as a backup. */
  stores: StoreUrls;
}

/** `fleet.json`, which exists while the fleet is ready, including its data. Process ids are updated after restarts. */
export class FleetFile {
  readonly #file: string;
  readonly #pids: Record<string, number> = {};
  readonly #pidsSaver = new PatientSaver(() => this.#description && this.write(this.#description));
  #description: FleetDescription | undefined;

  /** Removes the file of a killed fleet, which would describe a fleet that is not running. */
  constructor(file: string) {
    this.#file = file;
    this.remove();
  }

  write(description: FleetDescription): void {
    this.#description = description;
    const content = { ...description, pids: this.#pids };
    writePrivateFile(this.#file, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** @param pid undefined for a process that has ended */
  setPid(name: string, pid: number | undefined): void {
    if (pid === undefined) delete this.#pids[name];
    else this.#pids[name] = pid;
    this.#pidsSaver.save();
  }

  remove(): void {
    this.#description = undefined;
    this.#pidsSaver.stop();
    rmSync(this.#file, { force: true });
  }
}
