import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { CallerIdentity } from '#shared/grpc/callers.ts';
import { createGrpcClient, type ServiceClient } from '#shared/grpc/client.ts';
import type { TlsSettings } from '#shared/grpc/credentials.ts';
import { randomId } from '#shared/ids.ts';
import type { RecordedRun } from '../store/run-store.ts';

/** Within which the usage service answers, if only that the ledger cannot be read. */
const TIMEOUT_MS = 5_000;

/** What the ledger answered. */
export interface LedgerGaps {
  /** Event ids of runs that it does not know. */
  missing: Set<string>;
  /** Event ids of runs that it knows in an earlier state. */
  stale: Set<string>;
  /** How long its server has been running. */
  uptimeMs: number;
}

/** Asks the usage service what it knows of runs. */
export class UsageLedger {
  readonly #client: ServiceClient<UsageServiceService>;

  constructor(address: string, tls: TlsSettings, identity: CallerIdentity) {
    this.#client = createGrpcClient(UsageServiceService, {
      address,
      unavailableCode: 'usage_unavailable',
      timeoutMs: TIMEOUT_MS,
      tls,
      identity,
    });
  }

  /** @throws ServiceError usage_unavailable while the ledger cannot be read */
  async gapsAmong(runs: RecordedRun[], signal: AbortSignal): Promise<LedgerGaps> {
    const states = runs.map(({ event_id, api_key_id, created_at, usage_due }) => ({
      event_id,
      api_key_id,
      ts: created_at,
      status: usage_due,
    }));
    const answer = await this.#client.findUnrecorded(
      { runs: states },
      { requestId: randomId('req'), signal },
    );
    const { missing, stale, uptime_seconds } = answer;
    return { missing: new Set(missing), stale: new Set(stale), uptimeMs: uptime_seconds * 1_000 };
  }

  close(): void {
    this.#client.close();
  }
}
