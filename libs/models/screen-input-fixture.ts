import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { derivedMarket, type DerivedMarket } from './derived-market.ts';
import type { ScreenInput } from './screen.ts';

const markets = new WeakMap<Panel, DerivedMarket>();
const trainers = new Map<number, Promise<ThreadedTrainer>>();

/** Returns the same derived market for a panel every time, as in a worker. */
function marketOf(panel: Panel): DerivedMarket {
  const market = markets.get(panel) ?? derivedMarket(panel);
  markets.set(panel, market);
  return market;
}

/** A trainer that the whole test file shares. */
function trainerOf(threads: number): Promise<ThreadedTrainer> {
  const trainer = trainers.get(threads) ?? ThreadedTrainer.start(threads);
  trainers.set(threads, trainer);
  return trainer;
}

type Given<P> = Partial<ScreenInput<P>> & { panel: Panel; params: P; threads?: number };

/**
 * The input of a screen on the market in `panel`: without broker rows unless they are given, and on the last day unless `given`
 * or the parameters name another.
 */
export function screenInput<P extends object>({
  panel,
  params,
  threads = 1,
  ...given
}: Given<P>): ScreenInput<P> {
  const flow: BrokerFlow = given.brokerFlow ?? brokerFlowOf(panel, []);
  const broker_data = flow.rowCount > 0 ? 'synthetic' : 'none';
  const brokerDays = given.brokerDays ?? new BrokerDays(panel);
  const requested = 'analysis_date' in params ? params.analysis_date : 'today';
  return {
    ...marketOf(panel),
    trainer: () => trainerOf(threads),
    brokerFlow: flow,
    brokerDays,
    brokerDaysOf: async () => brokerDays,
    dataset: { version: 'synthetic-20260930-1', kind: 'synthetic', broker_data },
    analysisDate:
      typeof requested === 'string' && requested !== 'today' ? requested : panel.columns.dates.at(-1)!,
    params,
    view: 'full',
    shouldStop: () => false,
    ...given,
  };
}
