import { Counter } from 'prom-client';
import { metricsOf } from '#platform/operations/metrics.ts';
import { CallCost } from '#platform/grpc/call-cost.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { LEAST_MS } from '#shared/costs/estimated-cost.ts';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import type { ClientCall } from '../request/client-call.ts';
import { secondsToWait, WINDOW_MS, type Count, type Counts } from './rate-limit-counts.ts';

const charged = new Counter({
  name: 'saring_cost_milliseconds_total',
  help: 'Estimated processor time that was charged to the budget of a key.',
  labelNames: ['key_id'],
  registers: [metricsOf('gateway')],
});

interface CostBudgetDependencies {
  counts: Counts;
  /** Processor time that a request of a key may cost on average, in milliseconds. */
  msPerRequest: number;
  /** Tells a key that its budget is used up. */
  tellSpent: (apiKeyId: string, limitMs: number, call: { requestId: string }) => Promise<unknown>;
}

/** The budget of a key at a moment, in milliseconds of processor time of one thread. */
interface BudgetState {
  limitMs: number;
  remainingMs: number;
  resetsAt: Date;
}

/** Makes a call of a service. */
export type Send = (request: never, call: ClientCall) => Promise<unknown>;

/**
 * What the work of a key may cost in a minute: as many requests as it may send, at so much on average. Work is paid before it begins.
 * Each piece counts as half of the budget at most, so that work of any size begins at the latest in the next minute.
 */
export class CostBudget {
  readonly #deps: CostBudgetDependencies;

  constructor(deps: CostBudgetDependencies) {
    this.#deps = deps;
  }

  async stateOf(key: ApiKey): Promise<BudgetState> {
    const limitMs = this.#limitMs(key);
    return stateOf(limitMs, (await this.#deps.counts.get(idOf(key))) ?? { hits: 0, resetInMs: WINDOW_MS });
  }

  /**
   * A call of a service that charges for its work. It is begun with the least payment, which suffices for most, and repeated with as much
   * as it says to be missing.
   */
  paying(send: Send): Send {
    return async (request, call) => {
      if (!call.apiKey) return send(request, call);
      const beforeMs = call.cost?.paidMs ?? 0;
      try {
        return await this.#paid(send, request, call);
      } finally {
        const paidMs = this.#share(call, call.cost!.paidMs) - this.#share(call, beforeMs);
        charged.inc({ key_id: call.apiKeyId }, Math.max(0, paidMs));
      }
    };
  }

  async #paid(send: Send, request: never, call: ClientCall): Promise<unknown> {
    // Further calls of a request begin with what is left of the first payment.
    if (!call.cost) await this.#pay(call, LEAST_MS);
    for (;;) {
      try {
        const response = await send(request, call);
        await this.#settle(call, LEAST_MS);
        return response;
      } catch (error) {
        const { costMs, httpStatus = 500 } = error as Partial<ServiceError>;
        // Of what broke off, nobody knows how much was done.
        if (costMs === undefined && httpStatus < 500) await this.#settle(call, 0);
        if (costMs === undefined) throw error;
        await this.#pay(call, costMs);
      }
    }
  }

  /** @throws ServiceError rate_limited if the budget does not suffice; the request then costs what it has been charged so far */
  async #pay(call: ClientCall, totalMs: number): Promise<void> {
    const limitMs = this.#limitMs(call.apiKey!);
    const spent = await this.#spend(call, totalMs);
    if (spent.fits) return;
    await this.#settle(call, 0);
    const { requestId } = call;
    this.#deps.tellSpent(call.apiKeyId, limitMs, { requestId }).catch(() => {});
    throw new ServiceError(
      'rate_limited',
      `The request costs ${this.#share(call, totalMs)} ms of processor time, more than is left of the ${limitMs} ms that the key has in a minute.`,
      { retryAfterSeconds: secondsToWait(spent) },
    );
  }

  /** Gives back what was paid beyond what was charged and the least. */
  async #settle(call: ClientCall, leastMs: number): Promise<void> {
    const { paidMs = 0, chargedMs = 0 } = call.cost ?? {};
    const costMs = Math.max(chargedMs, leastMs);
    if (costMs < paidMs) await this.#spend(call, costMs);
  }

  /** Brings what the request has paid to a total, if that fits. */
  async #spend(call: ClientCall, totalMs: number): Promise<Count & { fits: boolean }> {
    const cost = (call.cost ??= new CallCost());
    const limitMs = this.#limitMs(call.apiKey!);
    const ms = this.#share(call, totalMs) - this.#share(call, cost.paidMs);
    const spent = await this.#deps.counts.spend(idOf(call.apiKey!), ms, limitMs);
    if (spent.fits) cost.paidMs = totalMs;
    const { remainingMs, resetsAt } = stateOf(limitMs, spent);
    call.setHeaders({
      'X-Cost': this.#share(call, cost.paidMs),
      'X-Cost-Limit': limitMs,
      'X-Cost-Remaining': remainingMs,
      'X-Cost-Reset': Math.ceil(resetsAt.getTime() / 1_000),
    });
    return spent;
  }

  #limitMs({ rate_limit_per_minute }: ApiKey): number {
    return rate_limit_per_minute * this.#deps.msPerRequest;
  }

  /** As how much something counts. */
  #share({ apiKey }: ClientCall, ms: number): number {
    return Math.min(ms, Math.ceil(this.#limitMs(apiKey!) / 2));
  }
}

/** No key and no address has this prefix. */
const idOf = ({ id }: ApiKey) => `cost:${id}`;

function stateOf(limitMs: number, { hits, resetInMs }: Count): BudgetState {
  return { limitMs, remainingMs: Math.max(0, limitMs - hits), resetsAt: new Date(Date.now() + resetInMs) };
}
