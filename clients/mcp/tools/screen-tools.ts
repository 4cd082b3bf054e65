import { z } from 'zod';
import { resultOf, type FinishedJob, type SimulationJob } from '#client/index.ts';
import { defineTool, READS, WRITES } from './tool.ts';
import { followed } from './model-tools.ts';

const number = z.number().nullable();
const screenId = z.string().describe('Id of a saved screen, as save_screen and my_screens answer it.');
const rules = z
  .string()
  .describe('Rules on fields, such as "rsi_14 < 35 and value_idr > 10e9". Names come from find_fields.');
const row = z.object({
  ticker: z.string(),
  name: z.string().nullable(),
  values: z.record(z.string(), z.unknown()),
});
/** The API answers up to a thousand; more than these are a list for a program. */
const MAX_ROWS = 50;
const passing = {
  as_of: z.string(),
  matched: z.number(),
  screened: z.number(),
  rows: z.array(row).describe(`At most ${MAX_ROWS}.`),
  rules_text: z.string(),
};

export const findFields = defineTool({
  name: 'find_fields',
  title: 'Fields for rules',
  description:
    'Fields that rules can name, by words of their name or meaning: price, momentum, liquidity, brokers, foreign flow, models.',
  input: { words: z.string().describe('Words to look for, such as "foreign net". Empty for all names.') },
  output: {
    fields: z.array(
      z.object({ name: z.string(), label: z.string(), type: z.string(), unit: z.string().nullable() }),
    ),
  },
  annotations: READS,
  async answer({ words }, { saring, signal }) {
    const wanted = words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const fields = (await saring.screens.fields({ signal })).filter(({ name, label, group }) => {
      const text = `${name} ${label} ${group}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    return { fields };
  },
});

export const tryScreen = defineTool({
  name: 'try_screen',
  title: 'Stocks that pass rules',
  description:
    'Evaluates rules without saving them, on the last day or as of a past day with what was known then.',
  input: { rules, as_of: z.string().optional().describe('A past trading day, YYYY-MM-DD.') },
  output: passing,
  annotations: READS,
  async answer({ rules, as_of }, { saring, signal }) {
    return shortly(await saring.screens.preview({ rules, ...(as_of !== undefined && { as_of }), signal }));
  },
});

export const saveScreen = defineTool({
  name: 'save_screen',
  title: 'Save or change a screen',
  description:
    'Saves rules under a name, so that they can be run, judged by their past and followed. With screen_id, changes that screen.',
  input: { name: z.string(), rules, screen_id: screenId.optional() },
  output: { screen_id: z.string(), version: z.number(), rules_text: z.string().nullable() },
  annotations: WRITES,
  async answer({ name, rules, screen_id }, { saring, signal }) {
    const body = { name, rules, signal };
    return screen_id === undefined ? saring.screens.create(body) : saring.screens.replace(screen_id, body);
  },
});

export const myScreens = defineTool({
  name: 'my_screens',
  title: 'Saved screens',
  description: 'The newest 50 screens that are saved for this user, with their rules.',
  input: {},
  output: {
    screens: z.array(
      z.object({
        screen_id: z.string(),
        name: z.string(),
        rules_text: z.string().nullable(),
        members: number,
      }),
    ),
  },
  annotations: READS,
  async answer(_, { saring, signal }) {
    return saring.screens.list({ limit: MAX_ROWS, signal }).first();
  },
});

export const runScreen = defineTool({
  name: 'run_screen',
  title: 'Run a saved screen',
  description: 'The stocks that are in a saved screen on the last day, or were as of a past day.',
  input: { screen_id: screenId, as_of: z.string().optional() },
  output: passing,
  annotations: READS,
  async answer({ screen_id, as_of }, { saring, signal }) {
    return shortly(await saring.screens.run(screen_id, { ...(as_of !== undefined && { as_of }), signal }));
  },
});

function shortly<Row, Run extends { rows: Row[] }>(run: Run): Run {
  return { ...run, rows: run.rows.slice(0, MAX_ROWS) };
}

const moved = z.array(z.string());

export const screenChanges = defineTool({
  name: 'screen_changes',
  title: 'Who entered and left a screen',
  description: 'The newest ten days on which stocks entered or left a saved screen.',
  input: { screen_id: screenId },
  output: { changes: z.array(z.object({ as_of: z.string(), entered: moved, left: moved })) },
  annotations: READS,
  async answer({ screen_id }, { saring, signal }) {
    const { changes } = await saring.screens.changes(screen_id, { limit: 10, signal }).first();
    const tickers = (all: { ticker: string }[]) => all.map(({ ticker }) => ticker);
    return {
      changes: changes.map(({ as_of, entered, left }) => ({
        as_of,
        entered: tickers(entered),
        left: tickers(left),
      })),
    };
  },
});

const estimate = z.object({ value: number, low: number, high: number });
const worth = {
  verdict: z
    .string()
    .describe(
      'Whether the past shows that the picks are worth something, in one word such as worse, not_shown or shown.',
    ),
  verdict_text: z.string(),
  trials: z
    .number()
    .describe(
      'How many variants this user has tried on the same span. The more, the less a good past means.',
    ),
};

export const howGoodIsScreen = defineTool({
  name: 'how_good_is_screen',
  title: 'What became of a screen’s picks',
  description:
    'Runs a saved screen as of every trading day of a span and says what became of its picks after costs, beside random choices of ' +
    'as many stocks. Say the verdict first.',
  input: { screen_id: screenId, from: z.string().optional(), to: z.string().optional() },
  output: {
    from: z.string(),
    to: z.string(),
    picks: z.number(),
    win_rate_pct: number,
    base_rate_pct: number,
    lift: estimate,
    net_return_pct: estimate,
    better_than_random_pct: number,
    ...worth,
  },
  annotations: READS,
  async answer({ screen_id, from, to }, { saring, signal }) {
    const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const past = await saring.screens.past(screen_id, { ...span, signal });
    const { picks, win_rate_pct, base_rate_pct, lift, net_return_pct } = past.all;
    return {
      ...past,
      ...{ picks, win_rate_pct, base_rate_pct, lift, net_return_pct },
      better_than_random_pct: past.random?.better_than_random_pct ?? null,
      trials: past.trials.count,
    };
  },
});

export const simulate = defineTool({
  name: 'simulate',
  title: 'What a screen would have meant for money',
  description:
    'Follows a saved screen over a span with a capital in IDR under the market’s own rules and costs: lots, limits, fees, tax, ' +
    'settlement. Takes some seconds.',
  input: {
    screen_id: screenId,
    from: z.string().describe('First day, YYYY-MM-DD.'),
    to: z.string().describe('Last day, YYYY-MM-DD.'),
    capital_idr: z.number().int().describe('IDR, such as 100000000.'),
  },
  output: {
    job_id: z.string(),
    end_idr: z.number(),
    total_return_pct: z.number(),
    annual_return_pct: z.number(),
    max_drawdown_pct: z.number(),
    sharpe: number,
    costs_idr: z.number(),
    trade_count: z.number(),
    ...worth,
  },
  annotations: WRITES,
  async answer(wanted, call) {
    const { job_id } = await call.saring.simulations.submit({ ...wanted, signal: call.signal });
    const job = await followed(job_id, call);
    const result = resultOf(job as FinishedJob) as unknown as NonNullable<SimulationJob['result']>;
    return { ...result, job_id, trials: result.trials.count };
  },
});
