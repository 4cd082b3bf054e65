import { useState } from 'preact/hooks';
import { SaringError } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import type { Bar } from '#console/charts/candles.ts';
import { Scatter } from '#console/charts/scatter.tsx';
import { Choices } from '#console/parts/choices.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Figure } from '#console/parts/figures/figure.tsx';
import { Loaded, useLoading, useLoadingOn } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { client } from '#console/session/session.ts';
import { day, number, rupiah, signedPercent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { BrokerFlow } from './broker-flow.tsx';
import { CompareStocks } from './compare-stocks.tsx';
import { CorporateActions } from './corporate-actions.tsx';
import { NamedBy } from './named-by.tsx';
import { StockChart } from './stock-chart.tsx';
import { say } from './words.ts';

const LENGTHS = [60, 120, 250];

/**
 * One stock: its candles with who bought below them, indicators, the models and screens that name it, a comparison with others,
 * corporate actions, turning point, brokers and negotiated trades.
 */
export function StockPage({ ticker }: { ticker: string }) {
  const [days, setDays] = useState(LENGTHS[1]!);
  const stock = useLoadingOn(
    ['dataset.published'],
    (signal) => client.value.data.stock(ticker, { days, signal }),
    [days],
  );
  return (
    <>
      <p class="actions">
        <a href={linkTo('market')}>{say.overview}</a>
      </p>
      <div class="toolbar">
        <h1>
          {ticker} {stock.value?.name && <small>{stock.value.name}</small>}
        </h1>
        {stock.value && <LastPrice of={stock.value.ohlcv} />}
      </div>
      <Loaded of={stock}>
        {({ ohlcv, features, dataset_version, date, traded_today, last_traded_date, broker_data }) => (
          <>
            {!traded_today && <p class="notice">{say.notTraded(day(last_traded_date))}</p>}
            <StockChart snapshot={{ ticker, ohlcv, dataset_version, date }} days={days}>
              <Choices
                label={shared.tradingDays}
                of={LENGTHS}
                chosen={days}
                choose={setDays}
                shown={(length) => say.lastDays(number(length))}
              />
            </StockChart>
            <h2>{say.indicators}</h2>
            <Facts
              facts={(Object.keys(say.indicatorNames) as (keyof typeof say.indicatorNames)[]).map((name) => [
                say.indicatorNames[name],
                number(features[name], 2),
              ])}
            />
            <Source datasetVersion={dataset_version} asOf={date} brokerData={broker_data} />
          </>
        )}
      </Loaded>
      {!isUnknown(stock.failure) && (
        <>
          <NamedBy ticker={ticker} />
          <CompareStocks ticker={ticker} days={days} />
          <CorporateActions ticker={ticker} />
          <TurningPoint ticker={ticker} />
          <BrokerFlow ticker={ticker} />
          <NegoPremiums ticker={ticker} days={days} />
        </>
      )}
    </>
  );
}

function LastPrice({ of }: { of: readonly Pick<Bar, 'close' | 'change_pct'>[] }) {
  const last = of.at(-1);
  return (
    <Facts
      facts={[
        [shared.close, number(last?.close)],
        [shared.change, signedPercent(last?.change_pct, 2)],
      ]}
    />
  );
}

/** Whether the API refuses the ticker itself, and so every part of the page. */
function isUnknown(failure: unknown): boolean {
  return (
    failure instanceof SaringError && (failure.code === 'not_found' || failure.code === 'invalid_request')
  );
}

function TurningPoint({ ticker }: { ticker: string }) {
  const turning = useLoading((signal) => client.value.data.turningPoint(ticker, { signal }), [client.value]);
  return (
    <>
      <h2>{say.turning}</h2>
      <Loaded of={turning}>
        {({ signal, score, factors, date, dataset_version, broker_data }) => (
          <>
            <Facts
              facts={[
                [say.signal, <code>{signal}</code>],
                [shared.score, number(score)],
              ]}
            />
            <ul>
              {factors.map((factor) => (
                <li key={factor}>{factor}</li>
              ))}
            </ul>
            <Source datasetVersion={dataset_version} asOf={date} brokerData={broker_data} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Prices of the negotiated trades of a stock, compared with its close. */
function NegoPremiums({ ticker, days }: { ticker: string; days: number }) {
  const nego = useLoading((signal) => client.value.data.nego(ticker, { days, signal }), [days]);
  return (
    <>
      <h2>{say.negoTitle}</h2>
      <Loaded of={nego}>
        {({ items, dataset_version }) => {
          const dealt = items.filter(({ nego_premium }) => nego_premium !== null);
          if (dealt.length === 0) return <p>{say.noNego}</p>;
          return (
            <Figure
              title={say.nego}
              source={{ datasetVersion: dataset_version, asOf: items.at(-1)?.date }}
              table={{
                rows: dealt.toReversed(),
                keyOf: ({ date }) => date,
                columns: [
                  { title: shared.date, of: ({ date }) => day(date) },
                  { title: say.premium, isNumber: true, of: (row) => premiumOf(row.nego_premium) },
                  { title: shared.value, isNumber: true, of: (row) => rupiah(row.nego_value) },
                  { title: say.average_price, isNumber: true, of: (row) => number(row.nego_avg_price) },
                  { title: say.deals, isNumber: true, of: (row) => number(row.nego_frequency) },
                ],
              }}
            >
              <Scatter
                label={say.nego}
                days={items.map(({ date }) => date)}
                points={dealt.map(({ date, nego_premium, nego_value }) => ({
                  date,
                  value: nego_premium!,
                  weight: nego_value!,
                  title: `${day(date)}: ${premiumOf(nego_premium)}, ${rupiah(nego_value)}`,
                }))}
                format={premiumOf}
              />
              <p class="hint">{say.negoHint}</p>
            </Figure>
          );
        }}
      </Loaded>
    </>
  );
}

/** Formats a fraction of the close in percent. */
function premiumOf(premium: number | null): string {
  return signedPercent(premium === null ? null : 100 * premium, 1);
}
