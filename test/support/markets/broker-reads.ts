import { beforeAll, expect } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant, type Tenant } from '../fleets/contract.ts';
import { errorCode, type RestResponse } from '../fleets/rest.ts';

interface Bar {
  date: string;
  value: number;
  volume: number;
}

/** Reads of brokers on the shared fleet, and a stock and a broker that have data to read. */
class BrokerReads {
  readonly tenant: Tenant;
  /** Has negotiated trades on the latest day, and therefore brokers in both markets. */
  ticker!: string;
  /** Its largest net buyer of that day. */
  broker!: string;
  /** Its last 250 trading days, ascending. */
  bars!: Bar[];

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  async choose(): Promise<void> {
    const { body: scan } = await this.get<{ items: { ticker: string; regular_value: number }[] }>(
      'nego?min_val=0&top_n=100',
    );
    this.ticker = scan.items.find(({ regular_value }) => regular_value > 0)!.ticker;
    this.bars = (await this.get<{ ohlcv: Bar[] }>(`stocks/${this.ticker}?days=250`)).body.ohlcv;
    this.broker = (await this.day()).body.top_buyers[0]!.broker;
  }

  get<Body>(path: string): Promise<RestResponse<Body>> {
    return this.tenant.rest.get<Body>(`/api/v1/data/${path}`);
  }

  day(query = '', ticker = this.ticker) {
    return this.get<Schemas['Brokers']>(`stocks/${ticker}/brokers${query}`);
  }

  window(query = '', ticker = this.ticker) {
    return this.get<Schemas['BrokerWindow']>(`stocks/${ticker}/brokers/window${query}`);
  }

  negoDay(query = '', ticker = this.ticker) {
    return this.get<Schemas['NegoBrokers']>(`stocks/${ticker}/nego/brokers${query}`);
  }

  timeline(query = '', broker = this.broker, ticker = this.ticker) {
    return this.get<Schemas['BrokerTimeline']>(`stocks/${ticker}/brokers/${broker}/timeline${query}`);
  }

  stocks(query = '', broker = this.broker) {
    return this.get<Schemas['BrokerStocks']>(`brokers/${broker}/stocks${query}`);
  }
}

/** Gives a test file its own key, a stock and a broker. Call at the top level of the file. */
export function ownBrokerReads(): BrokerReads {
  const reads = new BrokerReads(ownTenant());
  beforeAll(() => reads.choose());
  return reads;
}

export const codes = (rows: { broker: string }[]) => rows.map(({ broker }) => broker);

export const sum = <T>(rows: T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);

/** Status and code of a refused request. */
export const refusal = (response: RestResponse<unknown>) => [
  response.status,
  errorCode(response as RestResponse),
];

export function expectDescending(values: number[]): void {
  expect(values).toEqual(values.toSorted((one, other) => other - one));
}
