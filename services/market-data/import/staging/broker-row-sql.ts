import { STAGED_BLOCK_STRUCTURE } from './staged-blocks.ts';
import { SHARES_PER_LOT, type BrokerField, type BrokerLayout } from '#shared/data-format/broker-layout.ts';
import type { RowRule } from '../rules/row-rules.ts';
import { BROKER_ROW_RULES } from '../rules/broker-row-rules.ts';

/**
 * SQL that turns blocks of lines into staged rows: lines into fields, fields into numbers (empty is 0, malformed is
 * NaN), numbers into whole, non-negative shares and IDR. A refused row has a reason and no amounts.
 */
export function brokerRowsSql(layout: BrokerLayout): string {
  const amount = (sql: string) => `toUInt64(if(reason = '', ${sql}, 0))`;
  return `SELECT file, line, text, toStartOfMonth(date) AS month, ticker,
    if(reason = '', toDate(parsed_day), toDate(0)) AS date,
    if(reason = '', board, '') AS board, broker, is_net,
    ${amount('bought')} AS buy_shares, ${amount('paid')} AS buy_value,
    ${amount('sold')} AS sell_shares, ${amount('received')} AS sell_value,
    reason
  FROM (SELECT *, ${rowReasonSql(layout)} AS reason FROM (${normalisedSql()} FROM (${fieldsReadSql(layout)})))`;
}

/**
 * Some vendors write sales as negative numbers. A difference goes to the side of its sign. Its shares and its value may
 * go to different sides, for example if a broker sells slightly more shares than it bought, at a lower price.
 */
function normalisedSql(): string {
  const sell = (name: string) => `if(sell_count <= 0 AND sell_value <= 0, -${name}, ${name})`;
  const side = (sign: '' | '-', gross: string, difference: string) =>
    `if(is_net = 1, greatest(${sign}(${difference}), 0), ${gross})`;
  const [netCount, netValue] = [`buy_count - ${sell('sell_count')}`, `buy_value - ${sell('sell_value')}`];
  return `SELECT file, line, text, fields, ticker, day_text, day_rest, parsed_day, board, is_net, broker,
    ${side('', 'buy_count', netCount)} AS bought, ${side('', 'buy_value', netValue)} AS paid,
    ${side('-', sell('sell_count'), netCount)} AS sold,
    ${side('-', sell('sell_value'), netValue)} AS received`;
}

function fieldsReadSql(layout: BrokerLayout): string {
  const { amounts, unit } = layout;
  const text = (name: BrokerField) => fieldSql(layout, name);
  const code = (name: BrokerField) => `toLowCardinality(upper(${text(name)}))`;
  const scale = unit === 'lots' ? SHARES_PER_LOT : 1;
  const number = (name: BrokerField) =>
    `ifNull(toFloat64OrNull(${text(name)}), if(${text(name)} = '', 0, nan))`;
  const count = (name: BrokerField) => `round(${number(name)} * ${scale})`;
  const value = (name: BrokerField) => `round(${number(name)})`;
  const sides =
    amounts === 'difference'
      ? [count('net_count'), value('net_value'), '0.', '0.']
      : [count('buy_count'), value('buy_value'), count('sell_count'), value('sell_value')];
  return `SELECT file, line, text, fields, ${code('ticker')} AS ticker, ${code('broker')} AS broker,
    ${text('date')} AS day_field,
    if(length(day_field) = 8,
      concat(substring(day_field, 1, 4), '-', substring(day_field, 5, 2), '-', substring(day_field, 7, 2)),
      substring(day_field, 1, 10)) AS day_text,
    substring(day_field, if(length(day_field) = 8, 9, 11)) AS day_rest,
    toDate32OrNull(day_text) AS parsed_day,
    transform(${code('market')}, ['REG', 'RG', 'NEGO', 'NG', 'TN'], ['REG', 'REG', 'NG', 'NG', 'TN'], '') AS board,
    transform(lower(${text('mode')}), ['gross', 'net', ''], ${netFlagsSql(layout)}, 2) AS is_net,
    ${sides[0]} AS buy_count, ${sides[1]} AS buy_value, ${sides[2]} AS sell_count, ${sides[3]} AS sell_value
  FROM (SELECT file, line, text, ${fieldsSql(layout)} AS fields FROM (${linesSql()}))`;
}

/**
 * The flags of rows that state `gross`, `net` or nothing: 1 for net, 0 for gross, 2 for a mode that such a file cannot
 * have.
 */
function netFlagsSql({ amounts, mode }: BrokerLayout): string {
  return amounts === 'difference' ? '[2, 1, 1]' : `[0, 1, ${mode === 'net' ? 1 : 0}]`;
}

function fieldSql({ at }: BrokerLayout, name: BrokerField): string {
  const index = at[name];
  return index === undefined ? `''` : `trimBoth(fields[${index + 1}], ' "')`;
}

function linesSql(): string {
  return `SELECT file, first_line + line_index - 1 AS line, text
  FROM (SELECT file, first_line, splitByChar('\\n', block) AS lines FROM input('${STAGED_BLOCK_STRUCTURE}'))
  ARRAY JOIN lines AS text, arrayEnumerate(lines) AS line_index
  WHERE text != ''`;
}

/** A field of a line with quoted commas: either plain, or in quotes with inner quotes doubled. */
const CAREFUL_FIELD = ' *("(?:[^"]|"")*"|[^,"]*) *,';

/**
 * Splits a line into text fields, in the order of the layout's columns. Few lines have a comma in quotes. Only for
 * those, a regular expression is used that costs many times a plain split; the array it maps over is empty for all
 * other lines.
 */
function fieldsSql({ format, columns }: BrokerLayout): string {
  if (format === 'json') {
    const members = columns.map((name) => `\`${name}\` String`).join(', ');
    const values = columns.map((_, i) => `tupleElement(members, ${i + 1})`).join(', ');
    return `JSONExtract(text, 'Tuple(${members})') AS members, [${values}]`;
  }
  return `splitByChar(',', text) AS plain,
    arrayMap(odd -> extractAll(concat(odd, ','), '${CAREFUL_FIELD}'),
      if(length(plain) != ${columns.length} AND position(text, '"') > 0, [text], [])) AS careful,
    if(empty(careful), plain, careful[1])`;
}

function formRule({ format, columns }: BrokerLayout): RowRule {
  return format === 'json'
    ? { reason: 'malformed JSON', holds: `JSONType(text) != 'Object'` }
    : { reason: 'wrong number of columns', holds: `length(fields) != ${columns.length}` };
}

/** SQL of the reason to refuse a row; '' for a row that may stay. */
function rowReasonSql(layout: BrokerLayout): string {
  const branches = [formRule(layout), ...BROKER_ROW_RULES].map(
    ({ reason, holds }) => `${holds}, '${reason}'`,
  );
  return `toLowCardinality(multiIf(${branches.join(',\n    ')},\n    ''))`;
}
