import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { IdxSummary } from '#services/feed/formats/idx-summary.ts';
import { summaryOf, summaryRow } from '#services/feed/formats/summary-fixture.ts';
import type { Problem } from '#services/feed/deliveries/source-failure.ts';
import { tarOf } from '../markets/idx-archive.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** How an answer to a request for a day goes wrong, and the problem that the feed should find. Null: it takes the answer. */
export const QUIRKS = {
  'no answer in time': 'timed_out',
  'a bot wall': 'bot_wall',
  'too many requests, with Retry-After': 'rate_limited',
  'too many requests, without Retry-After': 'rate_limited',
  'an empty list': 'not_published',
  'an empty body': 'not_published',
  'yesterday’s rows': 'repeated_day',
  'yesterday’s numbers under today’s date': 'repeated_day',
  'a renamed field': 'changed_shape',
  'JSON that ends early': 'truncated',
  'a connection that breaks off': 'truncated',
  'numbers as text': null,
} as const satisfies Record<string, Problem | null>;
export type Quirk = keyof typeof QUIRKS;

export const RETRY_AFTER_SECONDS = 120;
const TICKERS = Array.from(
  { length: 30 },
  (_, i) => `Q${'ABCDEFGHIJ'[Math.floor(i / 10)]}${'ABCDEFGHIJ'[i % 10]}X`,
);

/** A web server with `GetStockSummary` of an invented market, which goes wrong as it is told. */
export class RecordedExchange {
  /** What goes wrong with the next requests for a day, in order. Then its answers are right. */
  readonly quirks = new Map<string, Quirk[]>();
  /** Days whose summary is only there from another day on. */
  readonly lateUntil = new Map<string, string>();
  /** Days whose numbers are corrected from another day on. */
  readonly correctedOn = new Map<string, string>();
  /** How often each day was asked for. */
  readonly requests = new Map<string, number>();
  /** Called before a day is answered. */
  onRequest: (day: string) => unknown = () => {};
  #today: () => string;
  readonly #server: Server;

  constructor(today: () => string) {
    this.#today = today;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** With a placeholder for the day. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/GetStockSummary?date={yyyymmdd}`;
  }

  /** Begins anew, with nothing that goes wrong. */
  reset(today: () => string): void {
    for (const known of [this.quirks, this.lateUntil, this.correctedOn, this.requests]) known.clear();
    this.#today = today;
  }

  /** An upload of days, with the corrections that are known today. */
  async archive(days: readonly string[]): Promise<Buffer> {
    const files: Record<string, Buffer> = {};
    for (const day of days) {
      const bytes = Buffer.from(JSON.stringify(this.#summary(day)));
      const reading = await new IdxSummary().read({ name: 'summary', bytes }, day);
      const isNewest = day === days.at(-1);
      for (const file of reading.files)
        if (isNewest || !file.path.startsWith('listing/')) files[file.path] = file.bytes;
    }
    return tarOf(files);
  }

  async #answer({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const day = new URL(url!, 'http://local').searchParams
      .get('date')!
      .replace(/^(....)(..)(..)$/, '$1-$2-$3');
    this.requests.set(day, (this.requests.get(day) ?? 0) + 1);
    await this.onRequest(day);
    if ((this.lateUntil.get(day) ?? '') > this.#today()) return void response.writeHead(404).end();
    const quirk = this.quirks.get(day)?.shift();
    if (quirk === undefined) json(response, this.#summary(day));
    else this.#goWrong(quirk, day, response);
  }

  #goWrong(quirk: Quirk, day: string, response: ServerResponse): void {
    const yesterday = IDX_CALENDAR.previousTradingDay(day);
    const text = JSON.stringify(this.#summary(day));
    switch (quirk) {
      case 'no answer in time':
        return;
      case 'a bot wall':
        response.writeHead(403, { 'content-type': 'text/html' });
        return void response.end('<!doctype html><title>Just a moment...</title><div class="cf-challenge">');
      case 'too many requests, with Retry-After':
        return void response.writeHead(429, { 'retry-after': String(RETRY_AFTER_SECONDS) }).end();
      case 'too many requests, without Retry-After':
        return void response.writeHead(429).end();
      case 'an empty list':
        return json(response, summaryOf([]));
      case 'an empty body':
        return void response.end();
      case 'yesterday’s rows':
        return json(response, this.#summary(yesterday));
      case 'yesterday’s numbers under today’s date':
        return json(response, this.#summary(yesterday, day));
      case 'a renamed field':
        return void response.end(text.replaceAll('"Close"', '"ClosePrice"'));
      case 'JSON that ends early':
        return void response.end(text.slice(0, text.length / 2));
      case 'a connection that breaks off':
        response.writeHead(200, { 'content-length': text.length });
        return void response.write(text.slice(0, text.length / 2), () => response.destroy());
      case 'numbers as text':
        return void response.end(
          text.replace(/:(\d+)(?=[,}])/g, ':"$1"').replace(/"recordsTotal":"(\d+)"/, '"recordsTotal":$1'),
        );
    }
  }

  #summary(day: string, dated = day) {
    const isCorrected = (this.correctedOn.get(day) ?? '9999') <= this.#today();
    return summaryOf(TICKERS.map((ticker, i) => summaryRow(ticker, dated, numbersOf(day, i, isCorrected))));
  }
}

/** So many trading days before a day, ascending. */
export function daysBefore(day: string, count: number): string[] {
  const days: string[] = [];
  for (let at = day; days.length < count; days.unshift(at)) at = IDX_CALENDAR.previousTradingDay(at);
  return days;
}

/** Numbers of a stock on a day. A correction adds trades that were left out. */
function numbersOf(day: string, stock: number, isCorrected: boolean) {
  const closeOf = (of: string) => 1_000 + 10 * stock + 5 * (Math.floor(Date.parse(of) / DAY_MS) % 61);
  const [close, previous] = [closeOf(day), closeOf(IDX_CALENDAR.previousTradingDay(day))];
  const volume = 100_000 * (stock + 1) + (isCorrected && stock < 3 ? 5_000 : 0);
  const prices = { FirstTrade: close, High: close + 5, Low: close - 5, Offer: close + 5, Bid: close };
  const foreign = { ForeignSell: volume / 10, ForeignBuy: volume / 20 };
  return {
    ...prices,
    ...foreign,
    Close: close,
    Previous: previous,
    Change: close - previous,
    Volume: volume,
    Value: volume * close,
  };
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
