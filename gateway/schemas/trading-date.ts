import Type from 'typebox';

/** The day of a query; `tradingDate` refuses other texts. */
export const TradingDate = Type.String({
  default: 'today',
  description:
    'Trading day as YYYY-MM-DD, or `today`: the latest trading day of the dataset on or before today in Jakarta.',
  examples: ['2024-06-28'],
});
