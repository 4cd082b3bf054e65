import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import { WatchlistsServiceService } from '#proto/saring/screens/v1/watchlists.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { answeringByExample } from '#support/message-examples.ts';
import { notNeeded } from './not-needed.ts';

/** The catalogue answers with the example of its message. The gateway has nothing evaluated itself. */
export const fakeFields: Handlers<FieldServiceService> = {
  listFields: answeringByExample(FieldServiceService).listFields,
  listFieldValues: notNeeded,
  screenStocks: notNeeded,
  listScreenedStocks: notNeeded,
  explainStock: notNeeded,
  judgeScreen: notNeeded,
  listPastMembers: notNeeded,
  followScreens: notNeeded,
};

/** These answer with the examples of their messages. */
export const fakeScreens: Handlers<ScreensServiceService> = {
  ...answeringByExample(ScreensServiceService),
  // JSON within a message has no example.
  listFieldValues: async () => ({
    result: {
      as_of: '2024-05-31',
      tickers: ['BBCA', 'BBRI'],
      values_json: Buffer.from('{"close":[9250,null]}'),
      broker_data: 'none',
      dataset_version: 'synthetic-1',
    },
  }),
};
export const fakeWatchlists = answeringByExample(WatchlistsServiceService);
