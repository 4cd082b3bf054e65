import { afterAll, beforeAll, expect } from 'vitest';
import {
  SchedulerServiceService,
  type CreateScheduleRequest,
  type Firing,
  type Schedule,
} from '#proto/saring/scheduler/v1/scheduler.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { operator } from './dataset-client.ts';
import { SchedulerFakes } from './scheduler-fakes.ts';
import { ownServers } from '../servers/servers.ts';
import { clientOf, identityOf, startService, type ServiceProcess } from '../processes/service-process.ts';

/** Scheduler processes on their own PostgreSQL, with fakes for the services that they call. */
export class TestScheduler {
  readonly others = new SchedulerFakes();
  readonly servers: { databaseUrl: string };
  #processes: ServiceProcess[] = [];
  #client: ServiceClient<SchedulerServiceService> | undefined;

  constructor(servers: { databaseUrl: string }) {
    this.servers = servers;
  }

  /** The address of the first process. */
  get address(): string {
    return this.#processes[0]!.address;
  }

  get client(): ServiceClient<SchedulerServiceService> {
    return this.#client!;
  }

  /** Starts processes that share the database. The client calls the first of them. */
  async start(howMany: number, settings: Record<string, string> = {}): Promise<void> {
    const { address } = this.others;
    const { token } = identityOf('scheduler');
    const env = {
      DATABASE_URL: this.servers.databaseUrl,
      KEYS_ADDRESS: address,
      MODELS_ADDRESS: address,
      MARKET_DATA_ADDRESS: address,
      KEYS_TOKEN: token,
      MODELS_TOKEN: token,
      ...settings,
    };
    this.#processes = await Promise.all(
      Array.from({ length: howMany }, () => startService('scheduler', env)),
    );
    this.#client = clientOf(SchedulerServiceService, this.address);
  }

  /** Stops all processes and returns their exit codes. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<(number | null)[]> {
    this.#client?.close();
    return Promise.all(this.#processes.splice(0).map((process) => process.kill(signal)));
  }

  async create(change: Partial<CreateScheduleRequest> = {}): Promise<Schedule> {
    const request = {
      name: 'evening',
      end_user: 'newsletter',
      model_id: 'confluence_filter',
      params: undefined,
      view: 'full',
      calendar: 'daily',
      api_key_id: change.api_key_id ?? this.others.addKey(),
    };
    return (await this.client.createSchedule({ ...request, ...change }, operator)).schedule!;
  }

  /** The schedule as it is listed now. */
  async listed({ id }: Pick<Schedule, 'id'>): Promise<Schedule> {
    const { schedules } = await this.client.listSchedules({}, operator);
    return schedules.find((schedule) => schedule.id === id)!;
  }

  async firingsOf({ id }: Schedule): Promise<Firing[]> {
    return (await this.client.listFirings({ schedule_id: id, limit: 100 }, operator)).firings;
  }

  /** Waits until the schedule has exactly these firings, newest first. Returns them. */
  async untilFired(
    schedule: Schedule,
    wanted: (readonly [day: string, outcome: string])[],
  ): Promise<Firing[]> {
    const reported = async () =>
      (await this.firingsOf(schedule)).map(({ trading_day, outcome }) => [trading_day, outcome]);
    await expect.poll(reported).toEqual(wanted);
    return this.firingsOf(schedule);
  }

  untilRun(schedule: Schedule, day: string): Promise<void> {
    return expect.poll(() => this.runsOf(schedule)).toContain(day);
  }

  /** Trading days of the runs that were started for a schedule, in order of their start. */
  runsOf({ id }: Schedule): string[] {
    return [...this.others.runs.keys()].filter((key) => key.startsWith(id)).map((key) => key.split(':')[1]!);
  }
}

/** Gives a test file two scheduler processes and a dataset up to a day. Call at the top level of the file. */
export function testScheduler(newestDay: string, settings?: Record<string, string>): TestScheduler {
  const own = new TestScheduler(ownServers());
  beforeAll(async () => {
    own.others.newestDay = newestDay;
    await own.others.start();
    await own.start(2, settings);
  });
  afterAll(async () => {
    expect(await own.stop()).toEqual([0, 0]);
    await own.others.stop();
  });
  return own;
}
