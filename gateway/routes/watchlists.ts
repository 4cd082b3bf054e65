import { serviceRoute } from './service-route.ts';

const ofEndUser = {
  tag: 'Watchlists',
  needsEndUser: true,
  ofCaller: ['api_key_id', 'end_user'],
} as const;
const aboutOne = { ...ofEndUser, unknownIdCode: 'watchlist_not_found' } as const;

/** Lists of tickers. Their inputs and answers are described in watchlists.proto. */
export const watchlistRoutes = [
  serviceRoute({
    ...ofEndUser,
    method: 'post',
    path: '/api/v1/watchlists',
    operationId: 'createWatchlist',
    rpc: ['watchlists', 'createWatchlist'],
    member: 'watchlist',
    status: 201,
    access: 'screens:write',
    summary: 'Create a watchlist',
    description:
      'Saves a list of tickers under a name. It belongs to the end user of `X-End-User`; a shared one can be read by every end ' +
      'user of the key. Tickers are not checked against the market. An end user can own 50 watchlists, and all end users of a ' +
      'key 2,000 together, unless the operator has set other limits.',
    answer: 'The new watchlist.',
    errors: ['too_many_tickers'],
  }),
  serviceRoute({
    ...ofEndUser,
    method: 'get',
    path: '/api/v1/watchlists',
    operationId: 'listWatchlists',
    rpc: ['watchlists', 'listWatchlists'],
    access: 'screens:read',
    summary: 'List watchlists',
    description:
      'Lists the watchlists of the end user and those that other end users of the key share, newest first. Pass `next_cursor` ' +
      'as `cursor` until `has_more` is false.',
    answer: 'A page of watchlists.',
    errors: ['invalid_cursor'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/watchlists/{watchlist_id}',
    operationId: 'getWatchlist',
    rpc: ['watchlists', 'getWatchlist'],
    member: 'watchlist',
    access: 'screens:read',
    summary: 'Get a watchlist',
    description: 'Returns a watchlist.',
    answer: 'The watchlist.',
    errors: ['watchlist_not_found'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'put',
    path: '/api/v1/watchlists/{watchlist_id}',
    operationId: 'replaceWatchlist',
    rpc: ['watchlists', 'replaceWatchlist'],
    member: 'watchlist',
    access: 'screens:write',
    summary: 'Replace a watchlist',
    description:
      'Replaces a watchlist, which its owner alone can do. What the body leaves out gets its default. Screens look among the ' +
      'new tickers from then on; who is in them is known with the next dataset version.',
    answer: 'The watchlist.',
    errors: ['watchlist_not_found', 'too_many_tickers'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'delete',
    path: '/api/v1/watchlists/{watchlist_id}',
    operationId: 'deleteWatchlist',
    rpc: ['watchlists', 'deleteWatchlist'],
    access: 'screens:write',
    summary: 'Delete a watchlist',
    description:
      'Deletes a watchlist, which its owner alone can do. Screens that look among its tickers fail with `watchlist_not_found` ' +
      'from then on.',
    answer: 'The watchlist is deleted.',
    errors: ['watchlist_not_found'],
  }),
];
