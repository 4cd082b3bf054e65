import type { Schemas } from '#client/index.ts';
import { goTo, linkTo } from '#console/browser/routing.ts';
import { Facts } from '#console/parts/facts.tsx';
import { BarFigure } from '#console/parts/figures/bar-figure.tsx';
import { Loaded, useLoadingOn } from '#console/parts/loading.tsx';
import { Question } from '#console/parts/question.tsx';
import { client } from '#console/session/session.ts';
import { day, number, percent, rupiah, signed, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { StockPage } from './stock-page.tsx';
import { say } from './words.ts';

/** The whole market on its last day, or one stock. */
export function MarketPage({ argument }: { argument: string }) {
  return argument === '' ? <OverviewPage /> : <StockPage key={argument} ticker={argument} />;
}

function OverviewPage() {
  const overview = useLoadingOn(['dataset.published'], (signal) => client.value.data.overview({ signal }));
  return (
    <>
      <h1>{overview.value ? say.title(day(overview.value.date)) : say.waitingTitle}</h1>
      <Question
        id="ticker"
        label={say.find}
        button={shared.show}
        enter={(ticker) => ticker !== '' && goTo(linkTo('market', ticker.toUpperCase()))}
      />
      <Loaded of={overview}>{(value) => <Market of={value} />}</Loaded>
    </>
  );
}

function Market({ of }: { of: Schemas['MarketOverview'] }) {
  const { breadth, averages } = of;
  const source = { datasetVersion: of.dataset_version, asOf: of.date };
  const counts = (['advancing', 'declining', 'unchanged'] as const).map((name) => ({
    label: say[name],
    value: breadth[name],
    shown: number(breadth[name]),
  }));
  return (
    <>
      {of.is_partial && <p class="notice">{say.partial}</p>}
      <p class="minor">{say.liquid(number(of.liquid_stocks), number(of.total_stocks))}</p>
      <Facts
        facts={[
          [shared.regime, of.regime, `${signed(of.regime_score, 0)}, ${say.regimeScore}`],
          [say.averageReturn, signedPercent(averages.daily_return_pct, 2)],
          [say.averageRsi, number(averages.rsi, 1)],
          [say.aboveMa20, percent(breadth.above_ma20_pct, 0)],
          [say.foreignNet, rupiah(of.foreign_net_value)],
          [say.traded, rupiah(of.total_value)],
        ]}
      />
      <BarFigure
        title={say.breadth}
        source={source}
        measure={shared.value}
        bar={(count) => count}
        table={{
          rows: counts,
          keyOf: ({ label }) => label,
          columns: [
            { title: say.breadth, of: ({ label }) => label },
            { title: shared.value, isNumber: true, of: ({ shown }) => shown },
          ],
        }}
      />
      <div class="two">
        <Movers title={say.gainers} movers={of.top_gainers} source={source} />
        <Movers title={say.losers} movers={of.top_losers} source={source} />
      </div>
    </>
  );
}

interface MoversProps {
  title: string;
  movers: readonly Schemas['Mover'][];
  source: { datasetVersion: string; asOf: string };
}

function Movers({ title, movers, source }: MoversProps) {
  const { ticker, close, change, value } = shared;
  return (
    <BarFigure
      title={title}
      source={source}
      measure={change}
      bar={(row) => ({
        label: row.ticker,
        href: linkTo('market', row.ticker),
        value: row.change_pct,
        shown: signedPercent(row.change_pct, 1),
      })}
      table={{
        rows: movers,
        keyOf: (row) => row.ticker,
        columns: [
          { title: ticker, of: (row) => row.ticker },
          { title: close, isNumber: true, of: (row) => number(row.close) },
          { title: change, isNumber: true, of: (row) => signedPercent(row.change_pct, 2) },
          { title: value, isNumber: true, of: (row) => rupiah(row.value) },
        ],
      }}
    />
  );
}
