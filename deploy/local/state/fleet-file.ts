import { rmSync } from 'node:fs';
import type { Addresses } from '../service-table.ts';
import type { CalledService } from './secrets.ts';
import type { StoreUrls } from '../store-urls.ts';
import { PatientSaver, writePrivateFile } from './write-private-file.ts';

/** What tools and tests read in `fleet.json`: how to reach every part of a fleet that is ready. */
export interface FleetDescription {
  base_url: string;
  /** Opens the console signed in: once, and for some minutes. */
  console_url: string;
  demo_key: string;
  ports: { gateway: number; clickhouse: number; nats: number; postgres: number };
  addresses: Addresses;
  /** Base URL of each process's `/livez`, `/readyz` and `/metrics`. */
  ops: Record<string, string>;
  operator_token: string;
  /** What proves to each service that a gateway calls, for another one before the same services. */
  gateway_tokens: Record<CalledService, string>;
  /** As a gateway uses it. */
  nats_url: string;
  /** The analyst exists only on the embedded server. */
  clickhouse: { url: string; analyst_user: string | null; analyst_password: string | null };
  /** For whoever operates the stores themselves, as a backup does. */
  stores: StoreUrls;
}

/** Is there while the fleet is ready, data included; process ids follow restarts. */
export class FleetFile {
  readonly #file: string;
  readonly #pids: Record<string, number> = {};
  readonly #pidsSaver = new PatientSaver(() => this.#description && this.write(this.#description));
  #description: FleetDescription | undefined;

  /** Removes what a killed fleet left behind: it would promise a fleet that is not there. */
  constructor(file: string) {
    this.#file = file;
    this.remove();
  }

  write(description: FleetDescription): void {
    this.#description = description;
    const content = { ...description, pids: this.#pids };
    writePrivateFile(this.#file, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** Undefined for a process that has ended. */
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
