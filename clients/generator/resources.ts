import { capitalized } from './words.ts';

interface Resource {
  about: string;
  className: string;
}

/** What each resource is about, and the name of its class where that is another. */
const RESOURCES: Record<string, Pick<Resource, 'about'> & Partial<Resource>> = {
  models: { about: 'The published models.' },
  jobs: { about: 'Jobs: runs of models and simulations.' },
  backfills: {
    about: 'Results of a model for many past days: history, which is not part of the model’s record.',
  },
  data: { about: 'Market data. Tickers may be in upper or lower case.', className: 'MarketData' },
  screens: {
    about:
      'Screens of end users: rules on fields, or runs of a model; who is in them, and what changes. Every call is made for an end user.',
  },
  sessions: {
    about:
      'Browsers that are signed in with the key. For pages of the gateway’s own origin: applications send their key.',
  },
  simulations: { about: 'What the picks of a screen or a model would have meant for somebody’s money.' },
  watchlists: { about: 'Lists of tickers that end users keep. Every call is made for an end user.' },
  webhooks: { about: 'Endpoints of the application, to which events of the key are delivered.' },
  usage: { about: 'The recorded runs of this client’s key.' },
  admin: { about: 'The recorded runs of every key, for the operator. Needs the scope `usage:admin`.' },
  consent: { about: 'The consent gate. Treat every failure here as: the end user has not accepted.' },
  operator: { about: 'The fleet as its operator sees it. Needs the operator’s token instead of a key.' },
};

export function resourceNamed(name: string): Resource {
  const described = RESOURCES[name];
  if (!described) throw new Error(`Say what ${name} is about in clients/generator/resources.ts.`);
  return { className: capitalized(name), ...described };
}
