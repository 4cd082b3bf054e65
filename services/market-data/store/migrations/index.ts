import { initial } from './010-initial.ts';
import { generatedMarket } from './011-generated-market.ts';
import { corporateActions } from './030-corporate-actions.ts';
import { facts } from './031-facts.ts';
import { modelResults } from './032-model-results.ts';
import { bids } from './033-bids.ts';
import { missingDays } from './034-missing-days.ts';
import { barOrigins } from './035-bar-origins.ts';
import { wholeDays } from './036-whole-days.ts';

export const migrations = [
  initial,
  generatedMarket,
  corporateActions,
  facts,
  modelResults,
  bids,
  missingDays,
  barOrigins,
  wholeDays,
];
