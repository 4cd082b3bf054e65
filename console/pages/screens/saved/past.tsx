import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { Facts } from '#console/parts/facts.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { trialFacts, Verdict } from '#console/parts/runs/judged.tsx';
import { Source } from '#console/parts/source.tsx';
import { DataTable, type Column } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { day, fixed, NONE, number, percent, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './past-words.ts';

type Figures = Schemas['PastFigures'];

interface Span {
  from: string;
  to: string;
}

/**
 * What came of the picks of a saved screen, by rules or by model. It is asked for, and not shown at once, because each set of rules counts as a trial.
 */
export function Past({ screenId, isByModel = false }: { screenId: string; isByModel?: boolean }) {
  const [judged, judge] = useState<Span>();
  return (
    <section>
      <h2>{say.title}</h2>
      <p class="hint">
        {isByModel ? say.ofModel : say.ofRules} {say.countsAsTrial}
      </p>
      <p>
        <a href={linkTo('simulations', '', { screen: screenId })}>{say.simulate}</a>
      </p>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          const entered = new FormData(event.currentTarget);
          judge({ from: entered.get('from') as string, to: entered.get('to') as string });
        }}
      >
        <label for="past-from">{shared.from}</label>
        <input id="past-from" name="from" type="date" />
        <label for="past-to">{shared.to}</label>
        <input id="past-to" name="to" type="date" />
        <button type="submit">{say.judge}</button>
      </form>
      {judged && <Judged key={`${judged.from} ${judged.to}`} screenId={screenId} {...judged} />}
    </section>
  );
}

function Judged({ screenId, from, to }: Span & { screenId: string }) {
  const past = useLoading(
    (signal) => client.value.screens.past(screenId, { ...(from && { from }), ...(to && { to }), signal }),
    [client.value],
  );
  return (
    <div id="past" aria-busy={past.isBusy}>
      <Loaded of={past}>{(of) => <Result of={of} />}</Loaded>
    </div>
  );
}

function Result({ of }: { of: Schemas['ScreenPast'] }) {
  const { all, random, trials } = of;
  return (
    <>
      <Verdict of={of} />
      <p class="hint">
        {say.held(percent(100 * of.target_gain), percent(100 * of.stop_loss), of.horizon_days)}
      </p>
      <Facts
        facts={[
          [shared.picks, number(all.picks), say.onDays(number(all.days_with_picks), number(all.days))],
          [shared.won, percent(all.win_rate_pct), say.baseRate(percent(all.base_rate_pct))],
          [say.lift, interval(all.lift, (value) => fixed(value, 2))],
          [say.netReturn, interval(all.net_return_pct, percentOf), say.perPick],
          [say.excess, interval(all.excess_net_return_pct, percentOf), say.perPick],
          [
            shared.betterThanRandom,
            percent(random?.better_than_random_pct ?? null, 0),
            random ? say.choices(number(random.draws)) : say.noChoices,
          ],
          ...trialFacts(trials),
        ]}
      />
      <DataTable
        caption={say.byYear}
        showsCaption
        rows={of.by_year}
        keyOf={({ year }) => String(year)}
        columns={[
          { title: shared.year, of: ({ year }) => String(year) },
          ...figureColumns<Schemas['PastYear']>(),
        ]}
      />
      <DataTable
        caption={say.byRegime}
        showsCaption
        rows={of.by_regime}
        keyOf={({ regime }) => regime}
        columns={[
          { title: shared.regime, of: ({ regime }) => say.regimes[regime] },
          ...figureColumns<Schemas['PastRegime']>(),
        ]}
      />
      {of.backfill_id !== null && (
        <p class="hint">
          {say.ofBackfill[of.step]} <code>{of.backfill_id}</code>
        </p>
      )}
      {of.open_days > 0 && <p class="hint">{say.open(number(of.open_days), day(of.to))}</p>}
      <Source datasetVersion={of.dataset_version} asOf={of.to} brokerData={of.broker_data} />
    </>
  );
}

function figureColumns<Row extends { figures: Figures }>(): Column<Row>[] {
  const column = (title: string, shown: (figures: Figures) => string): Column<Row> => ({
    title,
    isNumber: true,
    of: ({ figures }) => shown(figures),
  });
  return [
    column(shared.picks, ({ picks }) => number(picks)),
    column(shared.won, ({ win_rate_pct }) => percent(win_rate_pct)),
    column(shared.allLiquid, ({ base_rate_pct }) => percent(base_rate_pct)),
    column(say.lift, ({ lift }) => interval(lift, (value) => fixed(value, 2))),
    column(say.netReturn, ({ net_return_pct }) => interval(net_return_pct, percentOf)),
    column(say.excess, ({ excess_net_return_pct }) => interval(excess_net_return_pct, percentOf)),
  ];
}

const percentOf = (value: number) => signedPercent(value, 2);

/** A value with its interval: without one, nothing is known of it. */
function interval({ value, low, high }: Schemas['PastEstimate'], shown: (value: number) => string): string {
  if (value === null) return NONE;
  return low === null || high === null ? shown(value) : `${shown(value)} (${shown(low)} – ${shown(high)})`;
}
