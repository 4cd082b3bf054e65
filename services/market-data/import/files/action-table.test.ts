import { expect, test } from 'vitest';
import { parseActionTable } from './action-table.ts';

const HEADER = 'ticker,kind,ex_date,known_on,ratio,amount,new_ticker,board,index,membership,source,note';
const tableOf = (...lines: string[]) => parseActionTable('actions.csv', [HEADER, ...lines, ''].join('\n'));

test('every kind is read with its terms, sorted by ticker and day', () => {
  expect(
    tableOf(
      'qbbb,split,2024-07-03,2024-06-20,5,,,,,,"IDX, Peng-1",',
      'QAAA,reverse_split,2024-07-03,2024-06-20,0.1,,,,,,,',
      'QAAA,BONUS,2024-01-03,2023-12-20,1.1,,,,,,,from reserves',
      'QAAA,rights,2024-02-05,2024-01-20,1.25,500,,,,,,',
      'QAAA,dividend,2024-03-04,2024-02-20,,12.5,,,,,,',
      'QCCC,ticker_change,2024-03-04,2024-02-20,,,QDDD,,,,,',
      'QCCC,suspension,2024-03-05,2024-03-05,,,,,,,,',
      'QCCC,resumption,2024-03-06,2024-03-06,,,,,,,,',
      'QCCC,board_move,2024-03-07,2024-03-06,,,,Utama,,,,',
      'QCCC,delisting,2024-03-08,2024-03-06,,,,,,,,',
      'QCCC,index_membership,2024-02-01,2024-01-25,,,,,LQ45,left,,',
      'QCCC,sharia_list,2024-02-01,2024-01-25,,,,,,joined,,',
    ),
  ).toEqual([
    {
      ticker: 'QAAA',
      kind: 'bonus',
      ex_date: '2024-01-03',
      known_on: '2023-12-20',
      ratio: 1.1,
      note: 'from reserves',
    },
    {
      ticker: 'QAAA',
      kind: 'rights',
      ex_date: '2024-02-05',
      known_on: '2024-01-20',
      ratio: 1.25,
      amount: 500,
    },
    { ticker: 'QAAA', kind: 'dividend', ex_date: '2024-03-04', known_on: '2024-02-20', amount: 12.5 },
    { ticker: 'QAAA', kind: 'reverse_split', ex_date: '2024-07-03', known_on: '2024-06-20', ratio: 0.1 },
    {
      ticker: 'QBBB',
      kind: 'split',
      ex_date: '2024-07-03',
      known_on: '2024-06-20',
      ratio: 5,
      source: 'IDX, Peng-1',
    },
    {
      ticker: 'QCCC',
      kind: 'index_membership',
      ex_date: '2024-02-01',
      known_on: '2024-01-25',
      index: 'LQ45',
      membership: 'left',
    },
    {
      ticker: 'QCCC',
      kind: 'sharia_list',
      ex_date: '2024-02-01',
      known_on: '2024-01-25',
      membership: 'joined',
    },
    {
      ticker: 'QCCC',
      kind: 'ticker_change',
      ex_date: '2024-03-04',
      known_on: '2024-02-20',
      new_ticker: 'QDDD',
    },
    { ticker: 'QCCC', kind: 'suspension', ex_date: '2024-03-05', known_on: '2024-03-05' },
    { ticker: 'QCCC', kind: 'resumption', ex_date: '2024-03-06', known_on: '2024-03-06' },
    { ticker: 'QCCC', kind: 'board_move', ex_date: '2024-03-07', known_on: '2024-03-06', board: 'Utama' },
    { ticker: 'QCCC', kind: 'delisting', ex_date: '2024-03-08', known_on: '2024-03-06' },
  ]);
});

test('columns may have any order, terms that no line needs may be absent, and others are ignored', () => {
  const csv =
    '\uFEFFremark,known_on,ex_date,kind,ticker,amount\r\nx,2024-02-20,2024-03-04,dividend,QAAA,10\r\n';
  expect(parseActionTable('actions.csv', csv)).toEqual([
    { ticker: 'QAAA', kind: 'dividend', ex_date: '2024-03-04', known_on: '2024-02-20', amount: 10 },
  ]);
});

const KINDS =
  'split, reverse_split, bonus, rights, dividend, ticker_change, suspension, resumption, board_move, delisting, ' +
  'index_membership, sharia_list';

test.each([
  [
    'Q,split,2024-07-03,2024-06-20,5,,,,,,,',
    /ticker must be 2 to 12 letters, digits or hyphens .*, and is 'Q'$/,
  ],
  ['QAAA,merger,2024-07-03,2024-06-20,5,,,,,,,', `kind must be one of ${KINDS}, and is 'merger'`],
  [
    'QAAA,split,2024-07-33,2024-06-20,5,,,,,,,',
    /ex_date must be a day YYYY-MM-DD from 1977-08-10 to 2100-12-31/,
  ],
  ['QAAA,split,2024-07-03,20-06-2024,5,,,,,,,', /known_on must be a day YYYY-MM-DD .*, and is '20-06-2024'$/],
  ['QAAA,split,2024-07-03,2024-06-20,,,,,,,,', 'split needs ratio'],
  ['QAAA,split,2024-07-03,2024-06-20,0.2,,,,,,,', "ratio must be a number from 1 to 1000, and is '0.2'"],
  ['QAAA,split,2024-07-03,2024-06-20,1:5,,,,,,,', "ratio must be a number from 1 to 1000, and is '1:5'"],
  [
    'QAAA,reverse_split,2024-07-03,2024-06-20,10,,,,,,,',
    "ratio must be a number from 0.001 to 1, and is '10'",
  ],
  [
    'QAAA,dividend,2024-07-03,2024-06-20,,-3,,,,,,',
    "amount must be a number above 0 to 10000000, and is '-3'",
  ],
  ['QAAA,dividend,2024-07-03,2024-06-20,2,5,,,,,,', "ratio must be empty for dividend, and is '2'"],
  ['QAAA,rights,2024-07-03,2024-06-20,,500,,,,,,', 'rights with an amount need ratio'],
  ['QAAA,ticker_change,2024-07-03,2024-06-20,,,qaaa,,,,,', 'new_ticker must differ from ticker, and is QAAA'],
  ['QAAA,sharia_list,2024-07-03,2024-06-20,,,,,,in,,', "membership must be one of joined, left, and is 'in'"],
  ['QAAA,index_membership,2024-07-03,2024-06-20,,,,,,left,,', 'index_membership needs index'],
  [
    'QAAA,index_membership,2024-07-03,2024-06-20,,,,,Sharia,left,,',
    "index must be a name with a letter or digit, other than SHARIA and MONITORING, and is 'Sharia'",
  ],
  [
    'QAAA,index_membership,2024-07-03,2024-06-20,,,,,--,left,,',
    /index must be a name with a letter or digit/,
  ],
  ['QAAA,delisting,2024-07-03,2024-06-20,,,,,,,\u202Ex,', /source must be a text without control characters/],
  ['QAAA,delisting,2024-07-03,2024-06-20', '4 fields under 12 columns'],
])('%s is refused with file, line, field and what is allowed', (line, message) => {
  const rejected = (what: unknown) =>
    expect.objectContaining({ code: 'import_rejected', message: what }) as Error;
  const text = message instanceof RegExp ? message.source : undefined;
  expect(() => tableOf('QZZZ,delisting,2024-07-03,2024-06-20,,,,,,,,', line)).toThrow(
    rejected(
      text === undefined
        ? `actions.csv:3: ${message as string}`
        : expect.stringMatching(`^actions\\.csv:3: ${text}`),
    ),
  );
});

test('a table that lacks a column, has no action or states one twice is refused', () => {
  expect(() => parseActionTable('a.csv', 'ticker,kind,ex_date\n')).toThrow(
    'a.csv:1: the table of corporate actions lacks known_on',
  );
  expect(() => tableOf()).toThrow('actions.csv:1: the table of corporate actions has no action');
  const line = 'QAAA,split,2024-07-03,2024-06-20,5,,,,,,,';
  expect(() => tableOf(line, line)).toThrow('actions.csv:3: QAAA 2024-07-03 split has an entry already');
  const joined = (index: string) => `QAAA,index_membership,2024-07-03,2024-06-20,,,,,${index},joined,,`;
  expect(() => tableOf(joined('IDX 30'), joined('idx-30'))).toThrow(
    'actions.csv:3: QAAA 2024-07-03 index_membership IDX-30 has an entry already',
  );
});
