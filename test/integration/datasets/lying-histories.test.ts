import { expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { chronicleOf, deliveriesOf, trueDelivery } from '#support/histories/histories.ts';
import type { Chronicle, Delivery, History } from '#support/histories/histories.ts';
import { LIES } from '#support/histories/lies.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { testImporter } from '#support/services/test-importer.ts';

const own = testImporter();

const OF_CHRONICLE = 40;
const { HISTORIES = '80', FUZZ_SEED = '1' } = process.env;
const FIRST_SEED = 1_000 * (FUZZ_SEED === 'random' ? Math.floor(Math.random() * 1e6) : Number(FUZZ_SEED));

interface Bar {
  key: string;
  ticker: string;
  date: string;
  factor: number;
  share_factor: number;
  /** The day since which the factors are known, if that was later, and those before. */
  known_on: string;
  late: string;
  /** All else that is served of it. */
  text: string;
}

interface Ending {
  dataset: Dataset;
  bars: Map<string, Bar>;
  /** Days that a finding names. */
  named: Set<string>;
}

interface Fault {
  day: string;
  fault: string;
}

async function endingOf(deliveries: Delivery[]): Promise<Ending> {
  let dataset!: Dataset;
  const texts: string[] = [];
  for (const [i, { files, rank, restates }] of deliveries.entries()) {
    const said = { by: `source-${rank}`, rank };
    try {
      const outcome = await own.import(files, { adds: i > 0, said, ...(restates && { restates }) });
      dataset = outcome.dataset!;
      texts.push(...outcome.findings.map(({ first_at }) => first_at));
    } catch (error) {
      // A file of which nothing may be used is refused as a whole.
      if (!(error instanceof ServiceError) || error.code !== 'import_rejected') throw error;
    }
  }
  const named = [...texts, ...dataset.missing_days].flatMap((text) => text.match(/\d{4}-\d\d-\d\d/g) ?? []);
  return { dataset, bars: await barsOf(dataset), named: new Set(named) };
}

async function barsOf({ version }: Dataset): Promise<Map<string, Bar>> {
  const rows = await clickhouseRows<Omit<Bar, 'key' | 'text'>>(
    own.sql,
    `SELECT bar.* EXCEPT (dataset_version, origin), known_on, concat(known_on, ' ', late.factor, ' ', late.share_factor) AS late
     FROM market.daily_bar AS bar LEFT JOIN market.late_factor AS late USING (dataset_version, ticker, date)
     WHERE dataset_version = {version:String} ORDER BY ticker, date`,
    { version },
  );
  return new Map(
    rows.map(({ ticker, date, factor, share_factor, known_on, late, ...all }) => {
      const key = `${ticker} ${date}`;
      const text = Object.values(all).join(' ');
      return [key, { key, ticker, date, factor, share_factor, known_on, late, text }];
    }),
  );
}

/** Where the end differs from the truth although nothing says so. */
function faultsOf({ histories }: Chronicle, truth: Ending, { dataset, bars, named }: Ending): Fault[] {
  const { missing_days, whole_until } = dataset;
  const lies = histories.flatMap((history) => history.lies);
  const mayDiffer = (day: string) =>
    histories.some(
      (history) =>
        history.days.includes(day) &&
        !history.isRepaired &&
        history.lies.some(({ kind }) => LIES[kind]!.needs === 'the rows'),
    );
  // Of a market that does not reach its last day, its freshness tells.
  const isTold = (day: string) => mayDiffer(day) && (named.has(day) || day > whole_until);
  return [
    ...lies
      .filter(({ kind, day }) => LIES[kind]!.needs === 'a restatement' && !named.has(day))
      .map(({ day }) => ({ day, fault: 'is restated, and no finding says so' })),
    ...[...missing_days, ...(whole_until < truth.dataset.last_date ? [truth.dataset.last_date] : [])]
      .filter((day) => !mayDiffer(day))
      .map((day) => ({ day, fault: 'is not whole' })),
    ...[...bars.values()]
      .filter(({ key, date }) => !truth.bars.has(key) && !isTold(date))
      .map(({ key, date }) => ({ day: date, fault: `${key} is made up` })),
    ...untoldDifferences(truth, bars, isTold),
  ];
}

function untoldDifferences(truth: Ending, bars: Ending['bars'], isTold: (day: string) => boolean): Fault[] {
  const faults: Fault[] = [];
  for (const rows of Map.groupBy(truth.bars.values(), ({ ticker }) => ticker).values()) {
    // Across days that are not there, only splits are known, which the listed shares confirm.
    let [isAcross, share] = [false, 1];
    for (const wanted of rows) {
      share *= wanted.share_factor;
      if (isTold(wanted.date)) {
        isAcross = true;
        continue;
      }
      const bar = bars.get(wanted.key);
      const factors = isAcross ? [wanted.factor, share, 1] : [wanted.factor];
      // What is not known to have happened was not known late either.
      const isUnknown = isAcross && bar?.factor === 1;
      const isLateAsKnown = bar?.late === wanted.late || isUnknown || isTold(wanted.known_on);
      if (
        bar?.text !== wanted.text ||
        !isLateAsKnown ||
        !factors.some((factor) => Math.abs(factor - bar.factor) < 1e-9)
      )
        faults.push({ day: wanted.date, fault: `has ${JSON.stringify(bar)}, not ${JSON.stringify(wanted)}` });
      [isAcross, share] = [false, 1];
    }
  }
  return faults;
}

const faultsIn = async (chronicle: Chronicle, truth: Ending, { days }: History) => {
  const faults = faultsOf(chronicle, truth, await endingOf(deliveriesOf(chronicle)));
  return faults.filter(({ day }) => days.includes(day));
};

/** Leaves out the lies of all other histories, and those of this one without which it still fails. */
async function shrunk({ market, histories }: Chronicle, truth: Ending, failing: History): Promise<History> {
  let least = failing;
  for (const lie of failing.lies) {
    const fewer = { ...least, lies: least.lies.filter((other) => other !== lie) };
    const alone = histories.map((one) => (one === failing ? fewer : { ...one, lies: [] }));
    if ((await faultsIn({ market, histories: alone }, truth, failing)).length > 0) least = fewer;
  }
  return least;
}

test('a market that lies ends as what was, or names the day', { timeout: 10_800_000 }, async () => {
  const failed: object[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + Number(HISTORIES); seed += OF_CHRONICLE) {
    const chronicle = chronicleOf(seed, OF_CHRONICLE);
    const truth = await endingOf([trueDelivery(chronicle.market)]);
    const faults = faultsOf(chronicle, truth, await endingOf(deliveriesOf(chronicle)));
    for (const history of chronicle.histories) {
      const found = faults.filter(({ day }) => history.days.includes(day));
      if (found.length === 0) continue;
      const { days: _, ...least } = failed.length === 0 ? await shrunk(chronicle, truth, history) : history;
      failed.push({ ...least, faults: found.length, first: found.slice(0, 3) });
    }
    await own.prune(1);
  }
  expect(failed).toEqual([]);
});
