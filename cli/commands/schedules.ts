import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Schedule, Firing } from '#proto/saring/scheduler/v1/scheduler.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, examples, orNull, table, type OutputOptions } from '../terminal/output.ts';
import { numberFromOne } from '../terminal/option-values.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';

const CALENDARS = ['daily', 'weekly', 'monthly'];
const CREATE_HELP = `
A daily schedule runs on every trading day, a weekly one on the first trading day of each ISO week, a monthly one on the
first trading day of each month. It runs within seconds after the day is added to the dataset, first on the next day that is
added. If several days are added at once, it runs only on the newest.

Examples:
  saring schedules create --name evening --key key_0123456789abcdef01234567 --model confluence_filter
  saring schedules create --name mondays --key key_0123456789abcdef01234567 --model regime_adaptive_v6 \\
    --params '{"max_picks": 5}' --calendar weekly --end-user newsletter`;

/** `saring schedules …` */
export function addSchedulesCommands(program: Command): void {
  const schedules = program.command('schedules').description('run models on a calendar of trading days');
  const calendar = (text: string) => new Option('--calendar <which>', text).choices(CALENDARS);
  schedules
    .command('create')
    .description('run a model for a key every trading day, week or month')
    .requiredOption('--name <name>', 'label, for example what the runs are for')
    .requiredOption('--key <id>', 'id of the key the runs belong to')
    .requiredOption('--model <id>', 'model to run')
    .option('--end-user <id>', 'end user the runs are recorded for', 'scheduler')
    .option('--params <json>', 'parameters of the model; all others have their defaults', jsonObject)
    .addOption(new Option('--view <view>', 'view of the result').choices(['full', 'compact']).default('full'))
    .addOption(calendar('which trading days to run on').default('daily'))
    .addHelpText('after', CREATE_HELP)
    .action(create);
  schedules.command('list').description('every schedule, oldest first').action(list);
  schedules.command('show <id>').description('one schedule with its parameters').action(show);
  schedules
    .command('update <id>')
    .description('change a schedule; settings that you do not give stay')
    .option('--name <name>', 'new label')
    .addOption(new Option('--enable', 'run it again, from the next trading day on').conflicts('disable'))
    .option('--disable', 'stop running it until it is enabled again, and give up runs that still wait')
    .addOption(calendar('which trading days to run on from now on'))
    .option('--params <json>', 'new parameters, which replace all of the old ones', jsonObject)
    .addHelpText(
      ...examples(
        'schedules update sch_0123456789abcdef01234567 --disable',
        'schedules update sch_0123456789abcdef01234567 --calendar weekly --params \'{"lookback": 7}\'',
      ),
    )
    .action(update);
  schedules
    .command('delete <id>')
    .description('remove a schedule; its runs stay')
    .addHelpText(...examples('schedules delete sch_0123456789abcdef01234567'))
    .action(remove);
  schedules
    .command('log [id]')
    .description('outcomes of all schedules, or of one, newest first')
    .option('--limit <n>', 'at most this many, 1 to 1000', numberFromOne, 50)
    .addHelpText(...examples('schedules log sch_0123456789abcdef01234567 --limit 10'))
    .action(log);
}

type Params = Record<string, unknown>;

interface CreateOptions extends OutputOptions {
  name: string;
  key: string;
  model: string;
  endUser: string;
  params?: Params;
  view: string;
  calendar: string;
}

async function create(options: CreateOptions): Promise<void> {
  const { name, key, model, endUser, params, view, calendar } = options;
  const request = { name, api_key_id: key, end_user: endUser, model_id: model, params, view, calendar };
  const { schedule } = await withFleet(({ scheduler, call }) => scheduler.createSchedule(request, call));
  printSchedule(options, schedule);
}

async function list(options: OutputOptions): Promise<void> {
  const { schedules } = await withFleet(({ scheduler, call }) => scheduler.listSchedules({}, call));
  answer(options, { schedules: schedules.map(orNull) }, () => schedulesText(schedules));
}

async function show(id: string, options: OutputOptions): Promise<void> {
  const { schedules } = await withFleet(({ scheduler, call }) => scheduler.listSchedules({}, call));
  const schedule = schedules.find((candidate) => candidate.id === id);
  if (!schedule) throw new ServiceError('not_found', `There is no schedule ${id}.`);
  printSchedule(options, schedule);
}

interface UpdateOptions extends OutputOptions {
  name?: string;
  enable?: boolean;
  disable?: boolean;
  calendar?: string;
  params?: Params;
}

async function update(id: string, options: UpdateOptions): Promise<void> {
  const { name, enable, disable, calendar, params } = options;
  const enabled = enable ? true : disable ? false : undefined;
  const change = { name, enabled, calendar, params };
  if (Object.values(change).every((value) => value === undefined)) {
    throw new CommandFailure(EXIT.usage, 'nothing to change: give at least one option (--help lists them)');
  }
  const { schedule } = await withFleet(({ scheduler, call }) =>
    scheduler.updateSchedule({ id, ...change }, call),
  );
  printSchedule(options, schedule);
}

async function remove(id: string, options: OutputOptions): Promise<void> {
  await withFleet(({ scheduler, call }) => scheduler.deleteSchedule({ id }, call));
  answer(options, { id, change: 'deleted' }, () => `Schedule ${id} is deleted; its runs stay.`);
}

async function log(id: string | undefined, options: OutputOptions & { limit: number }): Promise<void> {
  const request = { schedule_id: id, limit: options.limit };
  const { firings } = await withFleet(({ scheduler, call }) => scheduler.listFirings(request, call));
  answer(options, { firings: firings.map(orNull) }, () => firingsText(firings));
}

function printSchedule(options: OutputOptions, schedule: Schedule | undefined): void {
  if (!schedule) throw new ServiceError('internal_error', 'the scheduler answered without a schedule');
  answer(options, orNull(schedule), () => scheduleText(schedule));
}

function jsonObject(text: string): Params {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Params;
  throw new InvalidArgumentError(`must be a JSON object, for example '{"lookback": 7}'.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Output of schedules and firings, for people and scripts. */

function schedulesText(schedules: Schedule[]): string {
  return table(
    schedules,
    {
      id: ({ id }) => id,
      name: ({ name }) => name,
      model: ({ model_id }) => model_id,
      calendar: ({ calendar }) => calendar,
      key: ({ api_key_id }) => api_key_id,
      'end user': ({ end_user }) => end_user,
      state: stateOf,
      'last day': ({ last_trading_day }) => last_trading_day ?? 'none yet',
      'last job': ({ last_job_id }) => last_job_id,
      reason: ({ held_up_by }) => held_up_by,
    },
    'There is no schedule yet.',
  );
}

function scheduleText(schedule: Schedule): string {
  const { id, name, model_id, view, calendar, api_key_id, end_user, params = {} } = schedule;
  const { last_trading_day, last_job_id, fires_after, held_up_by } = schedule;
  const isBare = Object.keys(params).length === 0;
  return [
    `Schedule ${id}, ${terminalText(name)}: ${stateOf(schedule)}`,
    `  runs      ${model_id}, ${calendar}, ${view} view`,
    `  with      ${isBare ? 'the model’s defaults' : JSON.stringify(params)}`,
    `  for       key ${api_key_id}, end user ${terminalText(end_user)}`,
    `  last due  ${last_trading_day ?? 'not yet'}${last_job_id ? `, job ${last_job_id}` : ''}`,
    ...(fires_after ? [`  next      on the first trading day after ${fires_after}`] : []),
    ...(held_up_by ? [`  ${stateOf(schedule).padEnd(8)}  ${held_up_by}`] : []),
  ].join('\n');
}

function firingsText(firings: Firing[]): string {
  return table(
    firings,
    {
      'trading day': ({ trading_day }) => trading_day,
      market: ({ market }) => market,
      'at (Jakarta)': ({ ts }) => ts && jakartaSecond(ts),
      schedule: ({ schedule_id }) => schedule_id,
      outcome: ({ outcome }) => outcome,
      'job or reason': ({ job_id, reason }) => job_id ?? reason,
    },
    'No schedule has been due yet.',
  );
}

function stateOf({ enabled, held_up_by }: Schedule): string {
  if (held_up_by === undefined) return enabled ? 'enabled' : 'disabled';
  return enabled ? 'held up' : 'ended';
}
