import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';

const BROKER_HEADER =
  'source,ticker,date,market,mode,broker,type,buy_shares,buy_value,sell_shares,sell_value';

type Field = string | number;

/** A row of a broker file. By default it is a gross row of the regular market without any trade. */
export interface BrokerLine {
  ticker?: Field;
  date?: Field;
  market?: Field;
  mode?: Field;
  broker?: Field;
  buy_shares?: Field;
  buy_value?: Field;
  sell_shares?: Field;
  sell_value?: Field;
}

export function brokerLine(line: BrokerLine): string {
  const fields: Record<string, Field> = {
    source: 'test',
    ticker: 'AAAA',
    date: '2024-03-04',
    market: 'RG',
    mode: 'gross',
    broker: 'AK',
    type: '',
    buy_shares: 0,
    buy_value: 0,
    sell_shares: 0,
    sell_value: 0,
    ...line,
  };
  return BROKER_HEADER.split(',')
    .map((column) => fields[column])
    .join(',');
}

/** A file of broker rows. */
export function brokerFile(lines: (BrokerLine | string)[]): string {
  const texts = lines.map((line) => (typeof line === 'string' ? line : brokerLine(line)));
  return [BROKER_HEADER, ...texts, ''].join('\n');
}

/** Two rows in which two brokers trade these shares with each other at a price, so that buys equal sells. */
export function tradeBetween(
  [buyer, seller]: [string, string],
  shares: number,
  price: number,
  line: BrokerLine = {},
): BrokerLine[] {
  const value = shares * price;
  return [
    { broker: buyer, buy_shares: shares, buy_value: value, ...line },
    { broker: seller, sell_shares: shares, sell_value: value, ...line },
  ];
}

interface Store {
  select: <Row>(query: string, params: Record<string, unknown>) => Promise<Row[]>;
}

/** The broker rows of a version as `AAAA 2024-03-04 REG AK gross +100@10000 -0@0`, by ticker, date, market and broker. */
export async function storedBrokerRows(own: Store, { broker_segments }: Dataset): Promise<string[]> {
  const rows = await own.select<{ row: string }>(
    `SELECT concat(ticker, ' ', toString(date), ' ', market, ' ', broker, ' ', mode,
       ' +', toString(buy_shares), '@', toString(buy_value),
       ' -', toString(sell_shares), '@', toString(sell_value)) AS row
     FROM market.broker_flow WHERE segment IN {segments:Array(String)}
     ORDER BY ticker, date, market, broker`,
    { segments: broker_segments },
  );
  return rows.map(({ row }) => row);
}
