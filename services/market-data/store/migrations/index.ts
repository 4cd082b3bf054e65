import { initial } from './010-initial.ts';
import { generatedMarket } from './011-generated-market.ts';
import { corporateActions } from './030-corporate-actions.ts';
import { facts } from './031-facts.ts';
import { modelResults } from './032-model-results.ts';
import { bids } from './033-bids.ts';

export const migrations = [initial, generatedMarket, corporateActions, facts, modelResults, bids];
