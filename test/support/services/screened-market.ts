import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatasetServiceService, type Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import {
  FieldServiceService,
  type ExplainedRule,
  type FollowedResult,
  type FollowedScreen,
  type MemberChange,
  type ScreenedStocks,
} from '#proto/saring/market_data/v1/fields.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import type { GrpcServer, Handlers } from '#platform/grpc/server.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { handledBy } from '../grpc/every-service.ts';
import { exampleNamed } from '../message-examples.ts';
import { quietServer } from '../processes/service-process.ts';

/** The only model that the fake knows. */
export const MODEL = 'confluence_filter';

const POLL_AGAIN_MS = 50;
const DATASET = exampleNamed<Dataset>('market_data.v1.Dataset');

/** The only rules that this market understands. */
interface CloseRule {
  where?: { field: 'close'; above?: number; below?: number };
}

const notNeeded = (): never => {
  throw new Error('the screens service does not call this');
};

/**
 * A fake of market-data, and of the catalogue of models, on a real gRPC server, whose stocks have nothing but a close on each day. Screens are rules on it, such
 * as `close > 100`.
 */
export class ScreenedMarket {
  address = '';
  market = 'real';
  /** Closes by day and ticker. The last day is the newest. */
  days: Record<string, Record<string, number>> = {};
  /** Changes the dataset version without a new day. */
  edition = 1;
  unavailable: 'fails' | 'hangs' | undefined;
  /** Screens that are run wait for this. */
  gate: Promise<void> = Promise.resolve();
  /** Rules for which a screen cannot be evaluated any more: those that compare with this number. */
  unknownNumber: number | undefined;
  /** Changes what is answered for a followed screen. If it returns nothing, there was no time for the screen and those after it. */
  evaluated: (screen: FollowedScreen, result: FollowedResult) => FollowedResult | undefined = (_, result) =>
    result;
  /** Ids of the screens of every call to follow screens. */
  readonly followed: string[][] = [];
  /** Universes of the screens that were run, in the order in which the calls came. */
  readonly universes: (ScreenedStocks | undefined)[] = [];
  readonly #server: GrpcServer;

  constructor() {
    this.#server = quietServer()
      .add(DatasetServiceService, this.#datasetHandlers())
      .add(FieldServiceService, this.#fieldHandlers())
      .add(CatalogueServiceService, this.#catalogueHandlers());
  }

  async start(): Promise<void> {
    this.address = `127.0.0.1:${await this.#server.listen()}`;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  get newestDay(): string | undefined {
    return Object.keys(this.days).toSorted().at(-1);
  }

  get version(): string {
    const day = this.newestDay;
    return day === undefined ? '' : `${this.market}-${day.replaceAll('-', '')}-${this.edition}`;
  }

  async #whileHere({ signal }: Call): Promise<void> {
    if (this.unavailable === 'hangs' && !signal.aborted) await once(signal, 'abort');
    if (this.unavailable) throw new ServiceError('data_unavailable', 'Try again.');
  }

  /** Knows one model, whose only parameter is `max_picks`. */
  #catalogueHandlers(): Handlers<CatalogueServiceService> {
    return {
      ...handledBy(CatalogueServiceService, notNeeded),
      validateRun: async ({ model_id, params = {} }) => {
        if (model_id !== MODEL) throw new ServiceError('model_not_found', 'There is no such model.');
        const unknown = Object.keys(params).find((name) => name !== 'max_picks');
        if (unknown === undefined) return {};
        const msg = 'is not a parameter; its parameters are max_picks';
        throw invalidRequest([{ loc: ['body', 'params', unknown], msg, type: 'extra_forbidden' }]);
      },
    };
  }

  #datasetHandlers(): Handlers<DatasetServiceService> {
    return {
      ...handledBy(DatasetServiceService, notNeeded),
      getCurrentDataset: async () => {
        const { newestDay: last_date, version, market: kind } = this;
        const dataset =
          last_date === undefined
            ? undefined
            : { ...DATASET, version, kind, last_date, whole_until: last_date };
        return { dataset, data_loaded: dataset !== undefined, lost_version: '' };
      },
      watchDataset: (_request, call) => this.#states(call),
    };
  }

  async *#states({ signal }: Call) {
    while (!signal.aborted) {
      yield { version: this.version, today: '2026-11-20' };
      await sleep(POLL_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }

  #fieldHandlers(): Handlers<FieldServiceService> {
    return {
      ...handledBy(FieldServiceService, notNeeded),
      // No field is imported.
      listFields: async () => ({ fields: [], count: 0, dataset_version: this.version }),
      listScreenedStocks: async ({ universe }, call) => {
        await this.#whileHere(call);
        const { sector, tickers } = universe!;
        return {
          as_of: this.newestDay!,
          tickers: sector === undefined ? tickers : [`IN_${sector}`],
          dataset_version: this.version,
        };
      },
      screenStocks: async ({ rules, universe, as_of, columns }, call) => {
        await this.#whileHere(call);
        this.universes.push(universe);
        await this.gate;
        const day = this.#dayOf(as_of);
        const tickers = this.#members(rules as CloseRule, universe, day);
        const rows = tickers.map((ticker) => ({ ticker, values: { close: this.days[day]![ticker] } }));
        return {
          rows_json: Buffer.from(JSON.stringify(rows)),
          as_of: day,
          matched: tickers.length,
          screened: Object.keys(this.days[day]!).length,
          rows: [],
          missing: [],
          rules_text: columns.join(),
          broker_data: 'none',
          dataset_version: this.version,
        };
      },
      followScreens: async ({ screens }, call) => {
        await this.#whileHere(call);
        this.followed.push(screens.map(({ id }) => id));
        const as_of = this.newestDay!;
        const results: FollowedResult[] = [];
        for (const screen of screens) {
          const result = this.evaluated(screen, this.#follow(screen, as_of));
          if (!result) break;
          results.push(result);
        }
        return { as_of, results, dataset_version: this.version };
      },
    };
  }

  #dayOf(asOf: string | undefined): string {
    const day = Object.keys(this.days).filter((known) => asOf === undefined || known <= asOf).toSorted().at(-1); // prettier-ignore
    if (day === undefined) throw new ServiceError('not_found', `There is no day up to ${asOf}.`);
    return day;
  }

  #members({ where }: CloseRule, universe: ScreenedStocks | undefined, day: string): string[] {
    return Object.entries(this.days[day]!)
      .filter(([ticker]) => !universe?.tickers.length || universe.tickers.includes(ticker))
      .filter(([, close]) => close > (where?.above ?? -Infinity) && close < (where?.below ?? Infinity))
      .map(([ticker]) => ticker);
  }

  #explain(rules: CloseRule, ticker: string, day: string): ExplainedRule {
    const value = this.days[day]![ticker] ?? null;
    const threshold = rules.where?.above ?? rules.where?.below;
    const passed = this.#members(rules, undefined, day).includes(ticker);
    return {
      rule: `close ${passed ? 'passes' : 'fails'}`,
      passed,
      value,
      threshold,
      margin: undefined,
      depth: 0,
    };
  }

  #follow(
    { id, rules, universe, previous_as_of, previous_tickers }: FollowedScreen,
    day: string,
  ): FollowedResult {
    const asked = rules as CloseRule;
    const none = { id, tickers: [], entered: [], left: [], failure: undefined };
    if (this.unknownNumber !== undefined && asked.where?.above === this.unknownNumber)
      return { ...none, failure: 'no field `close`' };
    const tickers = this.#members(asked, universe, day);
    if (previous_as_of === undefined) return { ...none, tickers };
    const decided = (ticker: string): MemberChange => ({
      ticker,
      decided_by: [this.#explain(asked, ticker, day)],
    });
    return {
      ...none,
      tickers,
      entered: tickers.filter((ticker) => !previous_tickers.includes(ticker)).map(decided),
      left: previous_tickers.filter((ticker) => !tickers.includes(ticker)).map(decided),
    };
  }
}
